import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import { useToast } from '../ui/toast.tsx'
import { PAGES } from '../words/pages/en.ts'
import { useReports } from './use-report.ts'

/** Saves a report of this body and goes to it. */
export function useMaking(body: object | undefined): {
  readonly isSaving: boolean
  readonly problem: string | undefined
  readonly save: () => void
} {
  const { client } = useDesk()
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const reports = useReports()
  const tell = useToast()
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string>()
  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      const { body: made } = await client.ask<{ slug: string }>('/v1/reports', {
        method: 'POST',
        body,
      })
      await queries.invalidateQueries({ queryKey: ['resource'] })
      await reports.refetch()
      tell(PAGES.reportMade)
      navigate(`/r/${made.slug}`)
    } catch (error) {
      setProblem((error as Error).message)
      setSaving(false)
    }
  }
  return { isSaving, problem, save: () => void save() }
}
