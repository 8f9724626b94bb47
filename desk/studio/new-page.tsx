import '../style/developer.css'
import '../style/people.css'
import '../style/studio.css'
import { type ReactElement, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { useSystem } from '../developer/use-system.ts'
import { NotFound } from '../shell/not-found.tsx'
import { Button } from '../ui/button.tsx'
import { ChoiceField, TextField } from '../ui/fields.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { PAGES } from '../words/pages/en.ts'
import { fieldsOf, labelOf, nameOf } from './changes.ts'
import { Review } from './review.tsx'
import { StudioEditor } from './studio-editor.tsx'
import { useLeaveGuard } from './studio-page.tsx'
import type { StudioInfo, Words } from './studio-types.ts'
import { useSaving } from './use-saving.ts'

/** Choice of a module that is yet to be made. */
const NEW_MODULE = '+'

/** `/studio/new`: a DocType of one's own. */
export function NewDocTypePage(): ReactElement {
  const info = useSystem<StudioInfo>('/v1/studio')
  if (info.error) return <NotFound message={info.error.message} />
  if (!info.data) return <PageSkeleton />
  return <NewDocType info={info.data} />
}

function NewDocType({ info }: { readonly info: StudioInfo }): ReactElement {
  const { boot } = useDesk()
  const [, navigate] = useLocation()
  const [begun, setBegun] = useState<Begun>({
    name: '',
    module: info.modules[0]?.name ?? '',
    newModule: '',
    tier: info.tiers[0] ?? '',
  })
  const [rest, setRest] = useState<Words>({ fields: {} })
  const { isBusy, trial, forget, review, save } = useSaving(({ slug }) =>
    navigate(slug === null ? '/' : `/${slug}`),
  )
  const { name, module, newModule, tier } = begun
  const isNew = module === NEW_MODULE
  const moduleName = isNew ? nameOf(newModule) : module
  const wish = {
    doctype: name.trim(),
    definition: { module: moduleName, tier, ...rest },
    ...(isNew ? { module_label: newModule.trim() } : {}),
  }
  const isTaken = info.doctypes.includes(name.trim())
  const hasFields = Object.keys(fieldsOf(rest)).length > 0
  const isReady = name.trim() !== '' && moduleName !== '' && hasFields && !isTaken
  useEffect(() => {
    document.title = `${PAGES.studioNew} · ${boot.workspace.label}`
  }, [boot])
  useLeaveGuard(hasFields && !isBusy)
  return (
    <div className="studio">
      <header className="page-head">
        <div>
          <h1>{PAGES.studioNew}</h1>
          <p className="quiet">{PAGES.studioNewAbout}</p>
        </div>
        <div className="page-actions">
          <Button
            kind="primary"
            busy={isBusy}
            disabled={!isReady || info.writable !== true}
            onClick={() => void review(wish)}
          >
            {PAGES.studioLook}
          </Button>
        </div>
      </header>
      {info.writable === true ? null : <p className="studio-warning">{info.writable}</p>}
      <Begin info={info} begun={begun} isTaken={isTaken} onChange={setBegun} />
      <StudioEditor
        info={info}
        definition={rest}
        base={undefined}
        rights={{}}
        onChange={setRest}
        without={['module', 'tier']}
      />
      {trial ? (
        <Review
          trial={trial}
          isBusy={isBusy}
          onClose={forget}
          onSave={(accept) => void save(wish, null, accept)}
        />
      ) : null}
    </div>
  )
}

/** The head of a new definition. */
interface Begun {
  readonly name: string
  /** `+` for one that is made with it. */
  readonly module: string
  readonly newModule: string
  readonly tier: string
}

interface BeginProps {
  readonly info: StudioInfo
  readonly begun: Begun
  readonly isTaken: boolean
  readonly onChange: (begun: Begun) => void
}

function Begin({ info, begun, isTaken, onChange }: BeginProps): ReactElement {
  const say = (word: keyof Begun) => (value: string) => onChange({ ...begun, [word]: value })
  return (
    <div className="studio-begin">
      <TextField
        label={PAGES.studioName}
        description={PAGES.studioNameAbout}
        value={begun.name}
        onChange={say('name')}
        error={isTaken ? PAGES.studioTaken : undefined}
        required
      />
      <ChoiceField
        label={PAGES.studioModule}
        value={begun.module}
        onChange={say('module')}
        choices={[
          ...info.modules.map((one) => ({ value: one.name, label: one.label })),
          { value: NEW_MODULE, label: PAGES.studioNewModule },
        ]}
      />
      {begun.module === NEW_MODULE ? (
        <TextField
          label={PAGES.studioModuleName}
          value={begun.newModule}
          onChange={say('newModule')}
          required
        />
      ) : null}
      <ChoiceField
        label={PAGES.studioTier}
        value={begun.tier}
        onChange={say('tier')}
        choices={info.tiers.map((one) => ({ value: one, label: labelOf(one) }))}
      />
    </div>
  )
}
