import type { SettingRow } from './setting-row.ts'
import { readBucket, readPlainUrl } from './setting-values.ts'

/** Settings of the place of uploaded files. */
export interface FileSettings {
  /** Bucket and path in an S3-compatible store; undefined = the data folder. */
  readonly filesUrl: { readonly bucket: string; readonly prefix: string } | undefined
  readonly s3Endpoint: string | undefined
  readonly s3Region: string
  readonly s3AccessKey: string | undefined
  readonly s3SecretKey: string | undefined
}

/** Rows of the settings of files; the table of all is in settings.ts. */
export const FILE_SETTING_ROWS: {
  readonly [Key in keyof FileSettings]: SettingRow<FileSettings[Key]>
} = {
  filesUrl: {
    variable: 'SVC_FILES_URL',
    type: 's3://bucket/prefix',
    default: '',
    meaning:
      'S3-compatible store in which uploaded files are kept; without it, `files` in the data folder, which all processes of a workspace share then.',
    read: readBucket,
  },
  s3Endpoint: {
    variable: 'SVC_S3_ENDPOINT',
    type: 'http(s) URL',
    default: '',
    meaning: 'Address of that store; without it, that of Amazon in the region.',
    read: readPlainUrl,
  },
  s3Region: {
    variable: 'SVC_S3_REGION',
    type: 'text',
    default: 'us-east-1',
    meaning: 'Region that requests to the store are signed for.',
    read: (text) => text,
  },
  s3AccessKey: {
    variable: 'SVC_S3_ACCESS_KEY',
    type: 'text',
    default: '',
    meaning: 'Access key of the store. Required with `SVC_FILES_URL`.',
    read: (text) => text,
  },
  s3SecretKey: {
    variable: 'SVC_S3_SECRET_KEY',
    type: 'text',
    default: '',
    meaning: 'Secret key of the store. Required with `SVC_FILES_URL`.',
    read: (text) => text,
  },
}
