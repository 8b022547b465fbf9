import { Button, Table, Text } from '@mantine/core'
import type { Person } from '#contract/admin-people.ts'
import { Moment } from '#web/components/admin/moment.tsx'
import classes from '#web/components/admin/records-table.module.css'
import { PersonBadges } from './person-badges.tsx'

type PeopleTableProps = { people: readonly Person[]; turning: boolean; onChoose: (id: string) => void }

export function PeopleTable({ people, turning, onChoose }: PeopleTableProps) {
  return (
    <div className={classes.frame} aria-busy={turning}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>User</Table.Th>
            <Table.Th>Role and plan</Table.Th>
            <Table.Th className={classes.number}>Listings</Table.Th>
            <Table.Th>Last seen</Table.Th>
            <Table.Th>
              <span className={classes.hidden}>Manage</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((person) => (
            <Table.Tr key={person.id}>
              <Table.Td>
                <Text fw={600}>{person.name}</Text>
                <Text size="sm" className="second">
                  {person.email}
                </Text>
                {person.sellerName !== person.name && (
                  <Text size="sm" className="second">
                    {person.sellerName}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <PersonBadges person={person} />
              </Table.Td>
              <Table.Td data-label="Listings" className={classes.number}>
                {person.activeListings.toLocaleString('en-US')}
              </Table.Td>
              <Table.Td data-label="Last seen">
                {person.lastSeenAt === null ? (
                  <span className="second">never</span>
                ) : (
                  <Moment at={person.lastSeenAt} />
                )}
              </Table.Td>
              <Table.Td className={classes.action}>
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onChoose(person.id)}
                  aria-label={`Manage ${person.name}, ${person.email}`}
                >
                  Manage
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
