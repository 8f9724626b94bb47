/** A generator of clients, and the settings with which its clients were compiled and called. */
export interface ClientGenerator {
  /** Its command. */
  readonly command: string
  /** What it is told, in the folder that holds `openapi.json` and its config file. */
  readonly args: readonly string[]
  /** Name and text of its config file; none where arguments say all. */
  readonly config?: readonly [file: string, text: string]
  /** How it is installed. */
  readonly install: string
}

const OAPI_CODEGEN = `package: svc
output: svc.gen.go
generate:
  models: true
  client: true
output-options:
  # Shapes that only webhooks use are there too.
  skip-prune: true
`

/** \`_created\`, what an action made, would be \`created\` in Java, which every record has. */
const JAVA = `library: native
invokerPackage: svc
apiPackage: svc.api
modelPackage: svc.model
openApiNullable: false
useSingleRequestParameter: true
nameMappings:
  _created: createdRecords
`

const RUST = `packageName: svc
supportAsync: false
nameMappings:
  _created: created_records
`

const GENERATOR = 'openapi-generator-cli'

const GENERATOR_INSTALL =
  'npm install --global @openapitools/openapi-generator-cli (it needs Java 11 or newer)'

function generated(language: string): readonly string[] {
  return ['generate', '-g', language, '-i', 'openapi.json', '-c', `${language}.yaml`, '-o', '.']
}

/** Languages for which a generator is known, by the word of `--lang`. */
export const CLIENT_GENERATORS: Readonly<Record<string, ClientGenerator>> = {
  ts: {
    command: 'openapi-ts',
    args: ['--input', 'openapi.json', '--output', 'src'],
    install: 'npm install --save-dev @hey-api/openapi-ts typescript',
  },
  python: {
    command: 'openapi-python-client',
    args: 'generate --path openapi.json --output-path svc_client --meta none --overwrite'.split(
      ' ',
    ),
    install: 'pip install openapi-python-client',
  },
  go: {
    command: 'oapi-codegen',
    args: ['-config', 'oapi-codegen.yaml', 'openapi.json'],
    config: ['oapi-codegen.yaml', OAPI_CODEGEN],
    install: 'go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@latest',
  },
  java: {
    command: GENERATOR,
    args: generated('java'),
    config: ['java.yaml', JAVA],
    install: GENERATOR_INSTALL,
  },
  rust: {
    command: GENERATOR,
    args: generated('rust'),
    config: ['rust.yaml', RUST],
    install: GENERATOR_INSTALL,
  },
}
