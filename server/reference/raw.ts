import type { Express } from 'express'
import { libraryBytes } from '../../engine/base/packaged-files.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { packagedFile } from '../http/packaged-file.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'

/** Files of the viewer that the page loads, as its package calls them. */
export const VIEWER_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png']

/** Viewer files change with the installed version only; a browser asks again after an hour. */
const VIEWER_CACHING = 'public, max-age=3600'

/**
 * `/docs/raw`: the description in Swagger UI. All it loads comes from this server, the viewer out of the
 * installed package; the policy of `/docs` allows nothing else and no `eval`. A key that is typed in stays
 * in the page and is gone with it.
 */
export function rawRoutes(app: Express): void {
  const routes: Readonly<Record<string, Handler>> = {
    '/docs/raw': text('html', PAGE),
    '/docs/raw.js': text('js', SCRIPT),
    '/docs/raw.css': text('css', STYLE),
    ...Object.fromEntries(VIEWER_FILES.map((name) => [`/docs/${name}`, viewerFile(name)])),
  }
  for (const [path, handler] of Object.entries(routes)) {
    app.get(path, takes(), handler)
    app.all(path, methodNotAllowed('GET, HEAD'))
  }
}

function text(type: string, content: string): Handler {
  return (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache')
    response.type(type).send(content)
  }
}

function viewerFile(name: string): Handler {
  const content = (): Buffer => libraryBytes(`swagger-ui-dist/${name}`)
  return packagedFile({ name, content, cacheControl: VIEWER_CACHING })
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/raw.css">
</head>
<body>
<noscript>The reference needs JavaScript. What it shows is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
<main id="reference"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/raw.js"></script>
</body>
</html>
`

/** Script of the page. It draws only the operations of one module at a time: there are a thousand. */
const SCRIPT = `const dark = window.matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

window.SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
})
`

const STYLE = `body { margin: 0 }
.swagger-ui .info { margin: 24px 0 }
.swagger-ui .wrapper { max-width: 1200px }
`
