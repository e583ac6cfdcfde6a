import react from '@vitejs/plugin-react'
import restable from 'restable/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    react(),
    restable({
      base: '/api',
      source: 'db.json',
      types: 'src/types.d.ts',
      middlewares: ['accounts'],
      resources: {
        tickets: {
          access: { read: 'anyone', create: 'signed-in', update: 'signed-in', delete: 'role:admin' },
          schema: {
            required: ['title'],
            properties: { title: { type: 'string', minLength: 3 }, status: { enum: ['open', 'done'] } },
          },
        },
      },
    }),
  ],
})
