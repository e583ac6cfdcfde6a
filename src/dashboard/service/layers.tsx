import type { LayerInfo } from '../../service-info.ts'
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
          <dl class="headers">
            {Object.entries(settings).map(([key, value]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>{Array.isArray(value) ? value.join(', ') : preview(value)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ol>
  )
}
