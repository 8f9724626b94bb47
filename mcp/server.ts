import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Tool as ToolListing,
} from '@modelcontextprotocol/sdk/types.js'
import { apiClient, type CallApi, readyKey } from './api-client.ts'
import { CallFailure } from './call-failure.ts'
import { argumentChecker } from './check-arguments.ts'
import { FULL_INSTRUCTIONS, INSTRUCTIONS } from './instructions.ts'
import { allTools } from './more-tools.ts'
import { ArgumentError } from './request.ts'
import {
  type ReadableResource,
  readableResources,
  readableTemplates,
  templateRead,
} from './resources.ts'
import { failureResult, resultOf, type ToolResult } from './result.ts'
import type { ToolServerSettings } from './settings.ts'
import type { Tool } from './tool.ts'
import { TOOLS } from './tools.ts'

/** Code of the protocol for an address that names no resource. */
const RESOURCE_NOT_FOUND = -32002

/**
 * Speaks the Model Context Protocol on stdin and stdout until stdin ends: calls that were read by then are
 * still answered. Nothing else is written to stdout.
 */
export async function serveTools(settings: ToolServerSettings): Promise<void> {
  const name = settings.brand.toLowerCase()
  if (settings.debug) {
    console.error(`${name} mcp: API key ${settings.apiKey === undefined ? 'missing' : 'present'}`)
  }
  const server = toolServer(settings)
  // The message may hold what the client sent; the kind of error is enough to see who does not speak the protocol.
  server.onerror = ({ name: kind }) =>
    console.error(`${name} mcp: could not handle a message of the client (${kind})`)
  await server.connect(new StdioServerTransport())
}

/** The server of the protocol over the table of tools; stateless, nothing is kept between calls. */
function toolServer(settings: ToolServerSettings): Server {
  const { brand, version } = settings
  const call = apiClient(settings)
  const resources = readableResources(brand.toLowerCase())
  const templates = readableTemplates(brand.toLowerCase())
  // Of the low level: the schemas of our table go out as they are, and what they refuse is said in our words.
  const server = new Server(
    { name: brand.toLowerCase(), title: `${brand} workspace`, version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: settings.isFull ? FULL_INSTRUCTIONS : INSTRUCTIONS,
    },
  )
  const callTool = toolCaller(settings, call)
  const tools = toolsOf(settings).map(listing)
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const { structuredContent, ...texts } = await callTool(params.name, params.arguments, signal)
    return (settings.isFull ? texts : { ...texts, structuredContent }) as CallToolResult
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.map(({ request: _, ...shown }) => shown),
  }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: templates.map(({ read: _, ...shown }) => shown),
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
    readResource(
      settings,
      call,
      resourceAt([...resources, ...templateRead(templates, params.uri)], params.uri),
      signal,
    ),
  )
  return server
}

function toolsOf({ isFull }: ToolServerSettings): readonly Tool[] {
  return isFull ? allTools(TOOLS) : TOOLS
}

function listing({ request: _, inputSchema, ...shown }: Tool): ToolListing {
  return { ...shown, inputSchema: inputSchema as unknown as ToolListing['inputSchema'] }
}

type CallTool = (name: string, args: unknown, signal: AbortSignal) => Promise<ToolResult>

/** Calls a tool of the table. An unknown name is an error of the protocol. */
function toolCaller(settings: ToolServerSettings, call: CallApi): CallTool {
  const tools = new Map(toolsOf(settings).map((tool) => [tool.name, tool]))
  const check = argumentChecker()
  return async (name, args = {}, signal) => {
    const tool = tools.get(name)
    if (!tool) {
      const known = [...tools.keys()].join(', ')
      throw new McpError(
        ErrorCode.InvalidParams,
        `there is no tool of this name; expected one of ${known}`,
      )
    }
    return withFailures(async () => {
      // Before the arguments: without a key no other arguments would help.
      readyKey(settings)
      const request = tool.request(check(tool, args))
      return resultOf(settings, request, await call(request, signal))
    })
  }
}

/** Result of a job; what a person or model can mend becomes one too. */
async function withFailures(job: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await job()
  } catch (error) {
    if (error instanceof CallFailure || error instanceof ArgumentError) return failureResult(error)
    throw error
  }
}

function resourceAt(resources: readonly ReadableResource[], uri: string): ReadableResource {
  const found = resources.find((resource) => resource.uri === uri)
  if (found) return found
  const known = resources.map((resource) => resource.uri).join(' and ')
  throw new McpError(
    RESOURCE_NOT_FOUND,
    `there is no such resource; expected ${known}, or one of the templates`,
  )
}

async function readResource(
  settings: ToolServerSettings,
  call: CallApi,
  { uri, mimeType, request }: ReadableResource,
  signal: AbortSignal,
): Promise<{ contents: { uri: string; mimeType: string; text: string }[] }> {
  const { structuredContent, content, isError } = await withFailures(async () =>
    resultOf(settings, request, await call(request, signal)),
  )
  if (isError) {
    const { message } = structuredContent.error as { readonly message: string }
    throw new McpError(ErrorCode.InternalError, message, structuredContent)
  }
  return { contents: [{ uri, mimeType, text: content[0]?.text ?? '' }] }
}
