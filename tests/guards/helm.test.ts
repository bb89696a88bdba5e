import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfigAndRemarks } from '#api/platform/config/config.ts'
import { hasHelm, helm } from '#tests/setup/helm.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Named = { name: string }
type Container = Named & {
  image: string
  args?: string[]
  env: (Named & { value?: string })[]
  securityContext: object
  startupProbe?: { httpGet: { path: string } }
  livenessProbe?: { httpGet: { path: string } }
  readinessProbe?: { httpGet: { path: string } }
  volumeMounts: (Named & { mountPath: string })[]
}
type Pod = {
  containers: Container[]
  volumes: Named[]
  securityContext: object
  terminationGracePeriodSeconds?: number
  automountServiceAccountToken: boolean
  topologySpreadConstraints?: object[]
}
type Resource = {
  apiVersion: string
  kind: string
  metadata: Named & { annotations?: Record<string, string>; labels: Record<string, string> }
  spec: Record<string, unknown>
}

const everything = ['cloudnativepg.enabled=true', 'serviceMonitor.enabled=true']

async function render(values: readonly string[] = []): Promise<Resource[]> {
  return parseAllDocuments(await helm('template', values))
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null)
}

const moduleOf = ({ apiVersion }: Resource) =>
  apiVersion.startsWith('monitoring.coreos.com/')
    ? `@kubernetes-models/prometheus-operator/${apiVersion}`
    : `kubernetes-models/${apiVersion}`

/** CloudNativePG publishes its schema only with its sources. */
const hasSchema = ({ kind }: Resource) => kind !== 'Cluster'

/** Throws if a value doesn't have the type or format that the schema of Kubernetes asks for. */
async function validate(resource: Resource): Promise<void> {
  const kinds = (await import(moduleOf(resource))) as Record<
    string,
    new (resource: Resource) => { validate(): void }
  >
  new kinds[resource.kind]!(resource).validate()
}

/** The fields that the types of Kubernetes don't know, which its schema ignores, as TypeScript reports them. */
function findUnknownFields(resources: readonly Resource[]): string {
  const folder = join(root, `.cache/kubernetes-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const lines = resources.map(
    (resource, at) =>
      `export const r${at}: import('${moduleOf(resource)}').I${resource.kind} = ${JSON.stringify(resource)}`,
  )
  writeFileSync(join(folder, 'rendered.ts'), lines.join('\n'))
  const options =
    '--noEmit --ignoreConfig --strict --skipLibCheck --module nodenext --target es2024 --types node'
  return spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), ...options.split(' '), join(folder, 'rendered.ts')],
    { cwd: root, encoding: 'utf8' },
  ).stdout
}

function podOf({ kind, spec }: Resource): Pod | undefined {
  type Template = { template: { spec: Pod } }
  if (kind === 'CronJob') return (spec['jobTemplate'] as { spec: Template }).spec.template.spec
  return (spec as Partial<Template>).template?.spec
}

describe.skipIf(!hasHelm)(
  'the Helm chart (not run where npm has no Helm: other platforms than linux-x64)',
  () => {
    test('has no findings by Helm', async () => {
      expect(await helm('lint')).toContain('0 chart(s) failed')
    })

    test.each([
      ['everything', everything],
      ['the defaults', []],
      [
        'as little as possible',
        ['autoscaling', 'ingress', 'networkPolicy', 'backup'].map((each) => `${each}.enabled=false`),
      ],
    ])('renders %s by the schemas of Kubernetes', { timeout: 120_000 }, async (_, values) => {
      const resources = (await render(values)).filter(hasSchema)
      expect(resources.length).toBeGreaterThan(3)
      for (const resource of resources) await validate(resource)
      expect(findUnknownFields(resources)).toBe('')
    })

    test('the checks find wrong values and unknown fields', { timeout: 120_000 }, async () => {
      const service = (await render()).find(({ kind }) => kind === 'Service')!
      await expect(validate({ ...service, spec: { ports: 'http' } })).rejects.toThrow('ports')
      expect(findUnknownFields([{ ...service, spec: { ...service.spec, selektor: {} } }])).toContain(
        'selektor',
      )
    })

    test('renders every kind once, from every template', async () => {
      const kinds = (await render(everything)).map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      expect(kinds.toSorted()).toEqual([
        'Cluster coin-database',
        'CronJob coin-backup',
        'CronJob coin-erasures',
        'Deployment coin',
        'HorizontalPodAutoscaler coin',
        'Ingress coin',
        'Job coin-migrate',
        'NetworkPolicy coin',
        'PodDisruptionBudget coin',
        'Service coin',
        'ServiceMonitor coin',
      ])
      const output = await helm('template', everything)
      const templates = readdirSync(join(root, 'deploy/helm/coin/templates')).filter((name) =>
        name.endsWith('.yaml'),
      )
      for (const name of templates) expect(output).toContain(`# Source: coin/templates/${name}`)
    })

    test('every pod runs without rights, and writes only to its volumes', async () => {
      const pods = (await render(everything)).flatMap((resource) => podOf(resource) ?? [])
      expect(pods.length).toBe(4)
      for (const pod of pods) {
        expect(pod.automountServiceAccountToken).toBe(false)
        expect(pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        })
        for (const { securityContext, volumeMounts } of pod.containers) {
          expect(securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          })
          expect(volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name))
          expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain('/data')
        }
      }
    })

    test('an outage of the database restarts no pod, and a pod may stop in peace', async () => {
      const pod = podOf((await render()).find(({ kind }) => kind === 'Deployment')!)!
      const [site] = pod.containers
      expect(site!.startupProbe!.httpGet.path).toBe('/v2/health')
      expect(site!.livenessProbe!.httpGet.path).toBe('/v2/health')
      expect(site!.readinessProbe!.httpGet.path).toBe('/v2/ready')
      expect(pod.terminationGracePeriodSeconds).toBe(75)
      expect(pod.topologySpreadConstraints).toHaveLength(2)
    })

    test('the migration runs before the pods of a release', async () => {
      const jobOf = async (values: string[]) => (await render(values)).find(({ kind }) => kind === 'Job')!
      const job = await jobOf([])
      expect(job.metadata.annotations!['helm.sh/hook']).toBe('pre-install,pre-upgrade')
      expect(podOf(job)!.containers[0]!.args).toEqual(['db-migrate'])
      // A new cluster doesn't exist before the installation.
      expect((await jobOf(everything)).metadata.annotations!['helm.sh/hook']).toBe('pre-upgrade')
    })

    test('the Service and the disruption budget choose the pods of the site, and no job', async () => {
      const resources = await render()
      const labels = (resources.find(({ kind }) => kind === 'Deployment')!.spec['template'] as Resource)
        .metadata.labels
      const service = resources.find(({ kind }) => kind === 'Service')!.spec['selector'] as Record<
        string,
        string
      >
      expect(labels).toMatchObject(service)
      expect(service['app.kubernetes.io/component']).toBe('site')
    })

    test('the product accepts the settings', async () => {
      const { env } = podOf((await render()).find(({ kind }) => kind === 'Deployment')!)!.containers[0]!
      const settings = Object.fromEntries(env.map(({ name, value }) => [name, value]))
      const { config, remarks } = readConfigAndRemarks({ ...settings, NODE_ENV: 'development' })
      expect(remarks).toEqual([])
      expect(config.publicUrl.href).toBe('https://coin.example/')
      expect(config.mailFrom).toBe('Coin <no-reply@coin.example>')
    })

    test.each([
      ['image.tag=latest', 'tag'],
      ['probes.readinessPath=/', 'readinessPath'],
      ['settings.ENCRYPTION_KEY=secret', 'ENCRYPTION_KEY'],
      ['replica=3', 'replica'],
    ])('refuses %s', async (value, name) => {
      await expect(helm('template', [value])).rejects.toThrow(name)
    })
  },
)

test('every value is described', () => {
  const lines = readFileSync(join(root, 'deploy/helm/coin/values.yaml'), 'utf8').split('\n')
  const sections = lines.flatMap((line, at) =>
    /^\w+:/.test(line) ? [{ line, before: lines[at - 1]!, after: lines[at + 1]! }] : [],
  )
  expect(sections.length).toBeGreaterThan(12)
  const isComment = (line: string) => line.trim().startsWith('#')
  const bare = sections.filter(({ before }) => !isComment(before))
  expect(bare.map(({ line }) => line)).toEqual([])
})

test('the chart names the image of its own release', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const chart = read('deploy/helm/coin/Chart.yaml')
  expect(chart).toContain(`\nversion: ${version}\nappVersion: ${version}\n`)
})
