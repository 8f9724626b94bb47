/** What reads codes in the pictures of a camera: the browser's own, or one that is loaded where it has none. */
export interface CodeReader {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}
