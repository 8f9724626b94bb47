/** A bundle of DocTypes as `doctypes/addons.yaml` declares it. */
export interface Addon {
  readonly slug: string
  readonly label: string
  readonly description: string
  /** Lowest tier that has all of it; the bundle costs what that tier costs. */
  readonly tier: string
  /** Names of DocTypes. */
  readonly doctypes: readonly string[]
}
