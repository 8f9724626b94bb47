import { json } from 'node:stream/consumers'
import { libraryBytes } from '../../engine/base/packaged-files.ts'
import { type PdfSheet, pdfDefinition } from './pdf-definition.ts'
import { unpacksAsItSays } from './png-unpacks.ts'

/** Faces of the letters on papers, which go into the PDF as far as they are used. */
export const FACES = ['Regular', 'Medium', 'Italic', 'MediumItalic'] as const

/** The file of a face in its library. */
export function faceFile(face: string): string {
  return `pdfmake/fonts/Roboto/Roboto-${face}.ttf`
}

/** A process of its own that draws one paper: a sheet as JSON on stdin, PDF on stdout. */
export async function drawPdf(): Promise<void> {
  const sheet = withSafeLogo((await json(process.stdin)) as PdfSheet)
  process.stdout.end(await pdfOf(sheet).catch((error: unknown) => pdfWithoutLogo(sheet, error)))
}

/** A sheet without a logo that unpacks to more dots than it says it has. */
function withSafeLogo(sheet: PdfSheet): PdfSheet {
  const [, packed] = sheet.letterhead?.logo?.split('base64,') ?? []
  if (packed === undefined || unpacksAsItSays(Buffer.from(packed, 'base64'))) return sheet
  return withoutLogo(sheet)
}

/** A picture that is broken is no reason for no paper. Throws what was wrong where there is none. */
function pdfWithoutLogo(sheet: PdfSheet, error: unknown): Promise<Buffer> {
  if (sheet.letterhead?.logo === undefined) throw error
  return pdfOf(withoutLogo(sheet))
}

function withoutLogo({ letterhead, ...sheet }: PdfSheet): PdfSheet {
  const { logo: _, ...card } = letterhead!
  return { ...sheet, letterhead: card }
}

/** The PDF of a sheet. Nothing is loaded for it but the faces: no address in a text is ever asked. */
export async function pdfOf(sheet: PdfSheet): Promise<Buffer> {
  const { default: pdfmake } = await import('pdfmake')
  for (const face of FACES)
    pdfmake.virtualfs.writeFileSync(`${face}.ttf`, libraryBytes(faceFile(face)))
  pdfmake.setFonts({
    Roboto: {
      normal: 'Regular.ttf',
      bold: 'Medium.ttf',
      italics: 'Italic.ttf',
      bolditalics: 'MediumItalic.ttf',
    },
  })
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy(() => false)
  return pdfmake.createPdf(pdfDefinition(sheet)).getBuffer()
}
