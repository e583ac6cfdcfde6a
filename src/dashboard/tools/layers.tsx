import type { LayerInfo } from '../../catalogue/service-info.ts'
import { Pairs } from '../parts/pairs.tsx'
import { preview } from '../parts/preview.ts'

/** The layers in the order a request passes them, with those of their settings that are not secret. */
export function Layers({ layers }: { layers: readonly LayerInfo[] }) {
  if (layers.length === 0) return <p class="hint">None: every request goes straight to the data.</p>
  return (
    <ol class="layers">
      {layers.map(({ name, kind, settings }, index) => (
        <li key={`${name}${index}`}>
          <strong>{name}</strong>
          {kind === 'file' && <span class="count">your file</span>}
          <Pairs
            kind="headers"
            pairs={Object.entries(settings).map(([key, value]) => [key, textOf(value)])}
          />
        </li>
      ))}
    </ol>
  )
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : preview(value)
}
