import { Document, isCollection, isNode, isPair, isScalar, type Node } from 'yaml'
import { isSameJson } from '../../core/kernel/json/values.ts'
import { type IdNames, idsOf, type OldEntry, slotsOf } from './align.ts'
import { nameOf } from './parse-yaml.ts'

/** An entry of a list or object in brackets. */
interface FlowEntry extends OldEntry {
  readonly item: unknown
}

/** Of nodes without anchors, for which a document is needed. */
const NO_DOCUMENT = new Document()

/** The node with another value, with its comments and quotes as far as they fit. */
export function changeNode(node: unknown, value: unknown, ids?: IdNames): Node {
  const entries = isCollection(node) ? Array.from<unknown, FlowEntry>(node.items, entryOf) : []
  const slots = isCollection(node) && slotsOf(entries, plain(node), value, ids)
  if (slots) {
    let above = ''
    const items = slots.flatMap((slot) => {
      const old = slot.old?.item
      const item = 'value' in slot ? changeItem(old, slot.name, slot.value, idsOf(slot.name, ids)) : old
      const head = isPair(item) ? item.key : item
      // Those above what is removed stay above what is next.
      if (isNode(head)) above = joined(above, head.commentBefore)
      if (!('value' in slot)) return []
      if (isNode(head) && above !== '') head.commentBefore = above
      above = ''
      return [item]
    })
    return Object.assign(node, { items, comment: joined(above, node.comment) })
  }
  const created = NO_DOCUMENT.createNode(value)
  if (!isNode(node)) return created
  const { comment, commentBefore } = node
  const isQuoted = isScalar(node) && typeof value === 'string' && node.type?.startsWith('QUOTE')
  return Object.assign(created, { comment, commentBefore }, isQuoted && { type: node.type })
}

function changeItem(old: unknown, name: string | undefined, value: unknown, ids?: IdNames): unknown {
  if (isPair(old)) {
    const changed = isSameJson(plain(old.value), value) ? old.value : changeNode(old.value, value, ids)
    return Object.assign(old, { value: changed })
  }
  if (old === undefined && name !== undefined) return NO_DOCUMENT.createPair(name, value)
  return isSameJson(plain(old), value) && old !== undefined ? old : changeNode(old, value, ids)
}

function entryOf(item: unknown): FlowEntry {
  return isPair(item)
    ? { name: nameOf(item.key), value: plain(item.value), item }
    : { value: plain(item), item }
}

function plain(node: unknown): unknown {
  return isNode(node) ? node.toJS(NO_DOCUMENT) : null
}

function joined(first: string, second: string | null | undefined): string {
  return [first, second ?? ''].filter((comment) => comment !== '').join('\n')
}
