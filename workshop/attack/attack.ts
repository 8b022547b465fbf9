export interface Target {
  url: string
  adminToken?: string
}

export interface Attack {
  name: string
  run(target: Target): Promise<{ held: boolean; figure: string }>
}
