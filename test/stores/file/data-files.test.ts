import { randomUUID } from 'node:crypto'
import fs, {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Change } from '../../../src/core/engine/change.ts'
import { Database } from '../../../src/core/engine/data/database.ts'
import { Engine } from '../../../src/core/engine/engine.ts'
import type { Data } from '../../../src/core/engine/types.ts'
import { DataFiles } from '../../../src/stores/file/data-files.ts'
import { ChangedOutside, FileStore } from '../../../src/stores/file/file-store.ts'
import { liveDataOf } from '../../../src/stores/live/live-data.ts'
import { folderOf } from '../../support/folder.ts'

const small = { posts: [{ id: 1 }] }
const pretty = '{\n  "posts": [\n    {\n      "id": 1\n    }\n  ]\n}'

let folder: string
let path: string
beforeEach(() => {
  folder = folderOf()
  path = join(folder, 'db.json')
  writeFileSync(path, '{"posts":[]}')
})

const save = (file: DataFiles, data: Data) => file.write(Database.of(data))
const contents = () => readFileSync(path, 'utf8')

describe('reading', () => {
  it.each([
    ['plain', '{"posts":[]}', { posts: [] }],
    ['after a byte order mark', '\uFEFF{"posts":[]}', { posts: [] }],
    ['an empty file at the start, as json-server does', '', {}],
  ])('%s', (_, text, data) => {
    writeFileSync(path, text)
    expect(new DataFiles(path).readSync()).toEqual(data)
  })

  it('says at the start what is wrong with the file, without its folder', () => {
    writeFileSync(path, '{"posts":[}')
    expect(() => new DataFiles(path).readSync()).toThrow(/^db\.json is not valid JSON.*line 1, column 11/)
    rmSync(path)
    expect(() => new DataFiles(path).readSync()).toThrow('db.json does not exist')
  })

  it('gives null when the file is gone', async () => {
    const file = new DataFiles(path)
    file.readSync()
    rmSync(path)
    expect(await file.changedOutside()).toBe(true)
    expect(await file.read()).toBeNull()
    expect(await file.changedOutside()).toBe(false)
  })

  it.each([
    ['half there', () => truncateSync(path, 5)],
    ['empty', () => truncateSync(path, 0)],
    ['away for a moment', () => rmSync(path)],
  ])('waits for a file that is %s', async (_, disturb) => {
    disturb()
    const reading = new DataFiles(path).read()
    await sleep(25)
    writeFileSync(path, pretty)
    expect((await reading)?.toData()).toEqual(small)
  })

  it('refuses a file that stays incomplete', async () => {
    truncateSync(path, 5)
    await expect(new DataFiles(path).read()).rejects.toMatchObject({ code: 'INVALID_DATA' })
    truncateSync(path, 0)
    await expect(new DataFiles(path).read()).rejects.toThrow('db.json is empty')
  })
})

describe('writing', () => {
  it('saves with two spaces and leaves nothing else', async () => {
    await save(new DataFiles(path), small)
    expect(contents()).toBe(pretty)
    expect(readdirSync(folder)).toEqual(['db.json'])
  })

  it.each(['{"posts":[]}', '{"posts":[]}\n'])('keeps the end of %j', async (before) => {
    writeFileSync(path, before)
    const file = new DataFiles(path)
    file.readSync()
    await save(file, small)
    expect(contents()).toBe(before.endsWith('\n') ? `${pretty}\n` : pretty)
  })

  it('writes data of many pieces', async () => {
    const data = Object.fromEntries(
      Array.from({ length: 1500 }, (_, index) => [`c${index}`, [{ id: index }]]),
    )
    const file = new DataFiles(path)
    await save(file, data)
    expect(contents()).toBe(JSON.stringify(data, null, 2))
    expect(await file.changedOutside()).toBe(false)
  })

  it.each([0o600, 0o644, 0o666, 0o640])('keeps mode %o', async (mode) => {
    chmodSync(path, mode)
    await save(new DataFiles(path), small)
    expect(statSync(path).mode & 0o7777).toBe(mode)
  })

  it.runIf(process.getuid?.() === 0)('keeps the owner where it may', async () => {
    chownSync(path, 1234, 2345)
    await save(new DataFiles(path), small)
    expect(statSync(path)).toMatchObject({ uid: 1234, gid: 2345 })
  })

  it.each([
    ['to a file', () => {}],
    ['to nothing yet', () => rmSync(path)],
  ])('keeps a symbolic link %s', async (_, prepare) => {
    prepare()
    const elsewhere = join(folder, 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync('../db.json', join(elsewhere, 'inner.json'))
    symlinkSync(join('elsewhere', 'inner.json'), join(folder, 'link.json'))
    const file = new DataFiles(join(folder, 'link.json'))
    await file.exclusive(() => save(file, small))
    expect(readlinkSync(join(folder, 'link.json'))).toBe(join('elsewhere', 'inner.json'))
    expect(lstatSync(path).isFile()).toBe(true)
    expect(contents()).toBe(pretty)
    expect(await file.changedOutside()).toBe(false)
    expect(readdirSync(elsewhere)).toEqual(['inner.json'])
  })

  it('recreates a deleted file', async () => {
    rmSync(path)
    const file = new DataFiles(path)
    await file.exclusive(() => save(file, small))
    expect(contents()).toBe(pretty)
  })

  it('fails cleanly when the folder is gone', async () => {
    const file = new DataFiles(path)
    rmSync(folder, { recursive: true })
    await expect(file.exclusive(() => save(file, small))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('leaves no trace of data that cannot be serialized', async () => {
    const file = new DataFiles(path)
    await expect(file.exclusive(() => save(file, { posts: [1n] }))).rejects.toThrow('BigInt')
    expect(contents()).toBe('{"posts":[]}')
    expect(readdirSync(folder)).toEqual(['db.json'])
  })

  it('does not save over another’s work after losing the lock', async () => {
    const file = new DataFiles(path)
    const stranger = '1 1 elsewhere token\n'
    const late = file.exclusive(async () => {
      writeFileSync(join(folder, '.db.json.lock'), stranger)
      const now = Date.now
      Date.now = () => now() + 60_000
      await save(file, small).finally(() => {
        Date.now = now
      })
    })
    await expect(late).rejects.toMatchObject({ code: 'WRITE_FAILED' })
    expect(contents()).toBe('{"posts":[]}')
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('changedOutside', () => {
  it.each([
    ['nothing happened', () => {}, false],
    [
      'its contents changed in place, to the same length',
      () => writeFileSync(path, pretty.replace('1', '2')),
      true,
    ],
    ['its contents changed length', () => writeFileSync(path, '{}'), true],
    ['only its time changed', () => utimesSync(path, 1, 1), true],
    [
      'another file with the same contents took its place',
      () => {
        writeFileSync(`${path}.new`, contents())
        renameSync(`${path}.new`, path)
      },
      true,
    ],
    ['it was deleted', () => rmSync(path), true],
    ['only its mode changed', () => chmodSync(path, 0o600), false],
  ])('when %s', async (_, happen, expected) => {
    const file = new DataFiles(path)
    expect(await file.changedOutside()).toBe(true)
    await save(file, small)
    happen()
    expect(await file.changedOutside()).toBe(expected)
    await file.read()
    expect(await file.changedOutside()).toBe(false)
  })

  it('when a symbolic link leads elsewhere now, and the save goes there', async () => {
    const link = join(folder, 'link.json')
    symlinkSync('db.json', link)
    const file = new DataFiles(link)
    file.readSync()
    writeFileSync(join(folder, 'other.json'), '{"posts":[]}')
    rmSync(link)
    symlinkSync('other.json', link)
    expect(await file.changedOutside()).toBe(true)
    await file.exclusive(() => save(file, small))
    expect(readFileSync(join(folder, 'other.json'), 'utf8')).toBe(pretty)
    expect(contents()).toBe('{"posts":[]}')
  })
})

describe('a save based on an earlier version of the file', () => {
  const look = async (file: DataFiles) => {
    if (await file.changedOutside()) await file.read()
  }

  it.each([
    ['written over', () => writeFileSync(path, '{"theirs":[]}')],
    [
      'replaced',
      () => {
        writeFileSync(`${path}.new`, '{"theirs":[]}')
        renameSync(`${path}.new`, path)
      },
    ],
    ['deleted', () => rmSync(path)],
  ])('is refused if the file was %s since, and does not touch it', async (_, change) => {
    const file = new DataFiles(path)
    const late = file.exclusive(async () => {
      await look(file)
      change()
      await save(file, small)
    })
    await expect(late).rejects.toBeInstanceOf(ChangedOutside)
    expect(existsSync(path) ? contents() : '{"theirs":[]}').toBe('{"theirs":[]}')
    await file.exclusive(async () => {
      await look(file)
      await save(file, small)
    })
    expect(contents()).toBe(pretty)
    expect(readdirSync(folder)).toEqual(['db.json'])
  })

  it('is not refused if nobody read it before: what is put in place of everything wins', async () => {
    const file = new DataFiles(path)
    file.readSync()
    writeFileSync(path, '{"theirs":[]}')
    await file.exclusive(() => save(file, small))
    expect(contents()).toBe(pretty)
  })

  it('follows a link that was redirected meanwhile', async () => {
    const link = join(folder, 'link.json')
    symlinkSync('db.json', link)
    writeFileSync(join(folder, 'other.json'), '{"other":[]}')
    const file = new DataFiles(link)
    const late = file.exclusive(async () => {
      rmSync(link)
      symlinkSync('other.json', link)
      await look(file)
      await save(file, small)
    })
    await expect(late).rejects.toBeInstanceOf(ChangedOutside)
    expect(contents()).toBe('{"posts":[]}')
  })

  describe('while somebody writes into the file', () => {
    const theirs = '{"posts":[],"theirs":[{"id":5}]}'
    const { renameSync: rename } = fs
    /** What happens before each rename but those that are left to themselves. */
    const beforeRenames = (...happen: (() => void)[]) => {
      fs.renameSync = (from, to) => {
        happen.shift()?.()
        rename(from, to)
      }
      syncBuiltinESMExports()
    }
    const edit = () => writeFileSync(path, theirs)
    const fail = () => {
      throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
    }
    afterEach(() => {
      fs.renameSync = rename
      syncBuiltinESMExports()
    })
    const add = (engine: Engine, id: number, prepared = () => {}) => {
      const rows = [{ id }]
      // Looked at when the change is prepared.
      const posts: Change<'insert'> = {
        kind: 'insert',
        collection: 'posts',
        get rows() {
          prepared()
          return rows
        },
      }
      return engine.write(posts)
    }
    const open = () => {
      const file = new DataFiles(path)
      const database = Database.of(file.readSync() ?? {})
      return new Engine(database, {
        id: 'id',
        foreignKeySuffix: 'Id',
        store: new FileStore(file, database),
      })
    }
    const dataOf = async (engine: Engine) => (await engine.read({ kind: 'database' })).found

    it('is not done if they put another file in its place at the last moment', async () => {
      const { existsSync: looksUp } = fs
      // Asked right before the file is checked for the last time.
      fs.existsSync = (name) => {
        if (dirname(String(name)) === dirname(path)) {
          writeFileSync(`${path}.new`, theirs)
          rename(`${path}.new`, path)
        }
        return looksUp(name)
      }
      syncBuiltinESMExports()
      try {
        const file = new DataFiles(path)
        const late = file.exclusive(async () => {
          await look(file)
          await save(file, small)
        })
        await expect(late).rejects.toBeInstanceOf(ChangedOutside)
        expect(readFileSync(path, 'utf8')).toBe(theirs)
      } finally {
        fs.existsSync = looksUp
        syncBuiltinESMExports()
      }
    })

    it('is undone, to be repeated', async () => {
      const file = new DataFiles(path)
      beforeRenames(edit)
      const late = file.exclusive(async () => {
        await look(file)
        await save(file, small)
      })
      await expect(late).rejects.toBeInstanceOf(ChangedOutside)
      expect(contents()).toBe(theirs)
      expect(await file.changedOutside()).toBe(true)
      expect((await file.read())?.toData()).toEqual(JSON.parse(theirs))
      expect(await file.changedOutside()).toBe(false)
      expect(readdirSync(folder)).toEqual(['db.json'])
    })

    it('is based on what they wrote', async () => {
      const engine = open()
      beforeRenames(edit)
      await add(engine, 1)
      expect(JSON.parse(contents())).toEqual({ ...JSON.parse(theirs), posts: [{ id: 1 }] })
    })

    it('leaves what they wrote in the file, and nothing of what was refused, if it cannot be repeated', async () => {
      const engine = open()
      beforeRenames(edit)
      let rounds = 0
      const late = add(engine, 1, () => {
        rounds += 1
        if (rounds === 2) beforeRenames(fail, fail)
      })
      await expect(late).rejects.toMatchObject({ code: 'WRITE_FAILED' })
      expect(contents()).toBe(theirs)
      expect(await dataOf(engine)).toEqual(JSON.parse(theirs))
    })

    it('leaves what they wrote in the file when they keep writing', async () => {
      const engine = open()
      const happen = Array.from({ length: 8 }, () => [edit, () => {}])
      beforeRenames(...happen.flat())
      await expect(add(engine, 1)).rejects.toMatchObject({ code: 'WRITE_FAILED' })
      expect(contents()).toBe(theirs)
    })

    it('keeps what they wrote until it can be saved, when the disk takes nothing at all for a while', async () => {
      const engine = open()
      // A rename onto a file that is held open is tried twice.
      beforeRenames(edit, ...Array(6).fill(fail))
      await expect(add(engine, 1)).rejects.toMatchObject({ code: 'WRITE_FAILED' })
      await engine.refresh()
      liveDataOf(engine).reload()
      expect(await dataOf(engine)).toEqual(JSON.parse(theirs))
      beforeRenames()
      await add(engine, 2)
      expect(JSON.parse(contents())).toEqual({ ...JSON.parse(theirs), posts: [{ id: 2 }] })
      expect(await engine.refresh()).toBe(false)
    })
  })
})

describe('what killed processes leave', () => {
  it('is removed at the first save, but nothing of other files', async () => {
    const own = (ending: string) => join(folder, `.db.json.${randomUUID()}.${ending}`)
    const left = [own('tmp'), own('old')]
    const others = [own('new'), join(folder, `.other.json.${randomUUID()}.tmp`), join(folder, '.db.json.tmp')]
    for (const name of [...left, ...others]) writeFileSync(name, '')
    const file = new DataFiles(path)
    await file.exclusive(() => save(file, small))
    expect(left.map((name) => existsSync(name))).toEqual([false, false])
    expect(others.map((name) => existsSync(name))).toEqual([true, true, true])
  })

  /** What a process leaves that is killed while it overwrites a file that cannot be replaced. */
  const leave = (text: string, copy = pretty) => {
    writeFileSync(join(folder, '.db.json.rescue'), copy)
    writeFileSync(path, text)
  }
  const hasRescue = () => existsSync(join(folder, '.db.json.rescue'))

  const rows = Array.from({ length: 400 }, (_, id) => ({ id }))
  const long = (of: readonly object[]) => JSON.stringify({ posts: of }, null, 2)

  it.each([
    ['nothing', '', pretty],
    ['half a file', '{"posts":[{"id"', pretty],
    ['a mixture of new and old that is JSON by chance', long([...rows.slice(0, 300), { id: 7 }]), long(rows)],
  ])('is finished by the next when they were killed while overwriting and left %s', async (_, text, copy) => {
    leave(text, copy)
    expect(new DataFiles(path).readSync()).toEqual(JSON.parse(copy))
    expect((await new DataFiles(path).read())?.toData()).toEqual(JSON.parse(copy))
    await new DataFiles(path).exclusive(async () => {})
    expect(contents()).toBe(copy)
    expect(hasRescue()).toBe(false)
  })

  it.each([
    ['was edited since, right after it', () => writeFileSync(path, '{"posts":[{"id":5}]}')],
    [
      'was edited since, an hour later, and begins the same',
      () => {
        writeFileSync(path, `${pretty.slice(0, -1)} }`)
        utimesSync(path, Date.now() / 1000 + 3600, Date.now() / 1000 + 3600)
      },
    ],
  ])('is dropped when the file %s', async (_, edit) => {
    leave('')
    edit()
    const edited = contents()
    expect(new DataFiles(path).readSync()).toEqual(JSON.parse(edited))
    await new DataFiles(path).exclusive(async () => {})
    expect(contents()).toBe(edited)
    expect(hasRescue()).toBe(false)
  })

  it('is finished by the next save when the first could not', async () => {
    leave('')
    const file = new DataFiles(path)
    const { unlink } = promises
    promises.unlink = async (name) => {
      if (String(name).endsWith('.rescue')) throw Object.assign(new Error('no'), { code: 'EIO' })
      await unlink(name)
    }
    syncBuiltinESMExports()
    const first = file.exclusive(async () => {})
    await expect(first)
      .rejects.toMatchObject({ code: 'EIO' })
      .finally(() => {
        promises.unlink = unlink
        syncBuiltinESMExports()
      })
    expect(hasRescue()).toBe(true)
    await file.exclusive(async () => {})
    expect(contents()).toBe(pretty)
    expect(hasRescue()).toBe(false)
  })

  it('is not trusted when the copy is not data, whatever the file is', async () => {
    writeFileSync(join(folder, '.db.json.rescue'), '[')
    writeFileSync(path, '{"posts":')
    await expect(new DataFiles(path).read()).rejects.toThrow('db.json is not valid JSON')
    await new DataFiles(path).exclusive(async () => {})
    expect(contents()).toBe('{"posts":')
  })
})
