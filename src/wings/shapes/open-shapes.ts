import { ConfigError } from '../../core/kernel/catalogue/error-classes.ts'
import type { Shapes } from '../../core/router/shape.ts'
import { enterShape, requestShapes, showItem } from './requests/request-shape.ts'
import { shapeErrors } from './requests/shape-errors.ts'
import { shapeResult } from './requests/shape-result.ts'
import { unwrapBody } from './requests/unwrap-body.ts'
import { ResponseShapes } from './response-shape.ts'
import { faultOfShapes, type ShapeSettings } from './shape-settings.ts'

/** The shapes of a router; undefined where responses stay as they are. */
export function openShapes(settings: ShapeSettings): Shapes | undefined {
  const fault = faultOfShapes(settings)
  if (fault !== undefined) throw new ConfigError(fault)
  const shapes = ResponseShapes.open(settings)
  return (
    shapes && {
      hasErrors: shapes.hasErrors,
      shapeErrors: (req, res, context) => shapeErrors(shapes, req, res, context),
      enter: (engine, own, req, res) => enterShape(shapes, engine, own, req, res),
      of: (req) => requestShapes.get(req),
      result: shapeResult,
      item(req, row) {
        const request = requestShapes.get(req)
        return request ? showItem(request, row) : row
      },
      unwrapBody,
    }
  )
}
