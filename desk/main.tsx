import './style/desk.css'
import { createRoot } from 'react-dom/client'
import { App } from './boot/app.tsx'
import { applyTheme } from './ui/theme.ts'

applyTheme()
createRoot(document.getElementById('desk')!).render(<App />)
