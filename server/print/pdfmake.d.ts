/** What is used of the library, which comes without types. */
declare module 'pdfmake' {
  interface PdfMake {
    readonly virtualfs: { writeFileSync(name: string, content: Buffer): void }
    setFonts(fonts: Readonly<Record<string, Readonly<Record<string, string>>>>): void
    setUrlAccessPolicy(allows: (url: string) => boolean): void
    setLocalAccessPolicy(allows: (path: string) => boolean): void
    createPdf(definition: object, options?: object): { getBuffer(): Promise<Buffer> }
  }
  const pdfmake: PdfMake

  // biome-ignore lint/style/noDefaultExport: it is what the library has
  export { pdfmake as default }
}
