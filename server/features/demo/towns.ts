export type Town = {
  city: string
  state: string
  zip: string
  latitude: number
  longitude: number
  areaCode: string
  timeZone: string
}

const zones = {
  E: 'America/New_York',
  C: 'America/Chicago',
  M: 'America/Denver',
  P: 'America/Los_Angeles',
  I: 'America/Indiana/Indianapolis',
  A: 'America/Phoenix',
} as const

type Row = [
  city: string,
  state: string,
  zip: string,
  latitude: number,
  longitude: number,
  areaCode: string,
  zone: keyof typeof zones,
]

// Real towns: coordinates of the town, a ZIP code in it, its area code. The first is the demo Pro seller's.
const rows: Row[] = [
  ['Tulsa', 'OK', '74107', 36.15, -95.99, '918', 'C'],
  ['Joplin', 'MO', '64801', 37.08, -94.51, '417', 'C'],
  ['Wichita', 'KS', '67202', 37.69, -97.34, '316', 'C'],
  ['Springfield', 'MO', '65802', 37.21, -93.29, '417', 'C'],
  ['Oklahoma City', 'OK', '73108', 35.47, -97.52, '405', 'C'],
  ['Little Rock', 'AR', '72201', 34.75, -92.29, '501', 'C'],
  ['Fort Smith', 'AR', '72901', 35.39, -94.42, '479', 'C'],
  ['Amarillo', 'TX', '79101', 35.21, -101.83, '806', 'C'],
  ['Lubbock', 'TX', '79401', 33.58, -101.86, '806', 'C'],
  ['Waco', 'TX', '76701', 31.55, -97.15, '254', 'C'],
  ['San Antonio', 'TX', '78205', 29.42, -98.49, '210', 'C'],
  ['Fort Worth', 'TX', '76102', 32.76, -97.33, '817', 'C'],
  ['Houston', 'TX', '77002', 29.76, -95.37, '713', 'C'],
  ['Shreveport', 'LA', '71101', 32.53, -93.75, '318', 'C'],
  ['Baton Rouge', 'LA', '70802', 30.45, -91.19, '225', 'C'],
  ['Jackson', 'MS', '39201', 32.3, -90.18, '601', 'C'],
  ['Birmingham', 'AL', '35203', 33.52, -86.8, '205', 'C'],
  ['Mobile', 'AL', '36602', 30.69, -88.04, '251', 'C'],
  ['Macon', 'GA', '31201', 32.84, -83.63, '478', 'E'],
  ['Augusta', 'GA', '30901', 33.47, -81.97, '706', 'E'],
  ['Jacksonville', 'FL', '32202', 30.33, -81.66, '904', 'E'],
  ['Tampa', 'FL', '33602', 27.95, -82.46, '813', 'E'],
  ['Ocala', 'FL', '34471', 29.19, -82.14, '352', 'E'],
  ['Columbia', 'SC', '29201', 34.0, -81.03, '803', 'E'],
  ['Charlotte', 'NC', '28202', 35.23, -80.84, '704', 'E'],
  ['Greensboro', 'NC', '27401', 36.07, -79.79, '336', 'E'],
  ['Knoxville', 'TN', '37902', 35.96, -83.92, '865', 'E'],
  ['Memphis', 'TN', '38103', 35.15, -90.05, '901', 'C'],
  ['Nashville', 'TN', '37203', 36.16, -86.78, '615', 'C'],
  ['Bowling Green', 'KY', '42101', 36.99, -86.44, '270', 'C'],
  ['Louisville', 'KY', '40202', 38.25, -85.76, '502', 'E'],
  ['Roanoke', 'VA', '24011', 37.27, -79.94, '540', 'E'],
  ['Richmond', 'VA', '23219', 37.54, -77.44, '804', 'E'],
  ['Charleston', 'WV', '25301', 38.35, -81.63, '304', 'E'],
  ['Pittsburgh', 'PA', '15222', 40.44, -80.0, '412', 'E'],
  ['Allentown', 'PA', '18101', 40.6, -75.48, '610', 'E'],
  ['Erie', 'PA', '16501', 42.13, -80.09, '814', 'E'],
  ['Buffalo', 'NY', '14203', 42.89, -78.88, '716', 'E'],
  ['Syracuse', 'NY', '13202', 43.05, -76.15, '315', 'E'],
  ['Worcester', 'MA', '01608', 42.26, -71.8, '508', 'E'],
  ['Manchester', 'NH', '03101', 42.99, -71.46, '603', 'E'],
  ['Bangor', 'ME', '04401', 44.8, -68.77, '207', 'E'],
  ['Akron', 'OH', '44308', 41.08, -81.52, '330', 'E'],
  ['Toledo', 'OH', '43604', 41.65, -83.54, '419', 'E'],
  ['Dayton', 'OH', '45402', 39.76, -84.19, '937', 'E'],
  ['Fort Wayne', 'IN', '46802', 41.08, -85.14, '260', 'I'],
  ['Indianapolis', 'IN', '46204', 39.77, -86.16, '317', 'I'],
  ['Flint', 'MI', '48502', 43.01, -83.69, '810', 'E'],
  ['Grand Rapids', 'MI', '49503', 42.96, -85.66, '616', 'E'],
  ['Rockford', 'IL', '61101', 42.27, -89.09, '815', 'C'],
  ['Peoria', 'IL', '61602', 40.69, -89.59, '309', 'C'],
  ['Milwaukee', 'WI', '53202', 43.04, -87.91, '414', 'C'],
  ['Green Bay', 'WI', '54301', 44.51, -88.01, '920', 'C'],
  ['Des Moines', 'IA', '50309', 41.59, -93.62, '515', 'C'],
  ['Duluth', 'MN', '55802', 46.79, -92.1, '218', 'C'],
  ['Omaha', 'NE', '68102', 41.26, -95.93, '402', 'C'],
  ['Sioux Falls', 'SD', '57104', 43.55, -96.73, '605', 'C'],
  ['Fargo', 'ND', '58102', 46.88, -96.79, '701', 'C'],
  ['Billings', 'MT', '59101', 45.78, -108.5, '406', 'M'],
  ['Boise', 'ID', '83702', 43.62, -116.2, '208', 'M'],
  ['Spokane', 'WA', '99201', 47.66, -117.43, '509', 'P'],
  ['Tacoma', 'WA', '98402', 47.25, -122.44, '253', 'P'],
  ['Salem', 'OR', '97301', 44.94, -123.04, '503', 'P'],
  ['Medford', 'OR', '97501', 42.33, -122.88, '541', 'P'],
  ['Reno', 'NV', '89501', 39.53, -119.81, '775', 'P'],
  ['Fresno', 'CA', '93721', 36.74, -119.79, '559', 'P'],
  ['Bakersfield', 'CA', '93301', 35.37, -119.02, '661', 'P'],
  ['Tucson', 'AZ', '85701', 32.22, -110.97, '520', 'A'],
  ['Albuquerque', 'NM', '87102', 35.08, -106.65, '505', 'M'],
  ['Pueblo', 'CO', '81003', 38.25, -104.61, '719', 'M'],
  ['Salt Lake City', 'UT', '84101', 40.76, -111.89, '801', 'M'],
  ['Cheyenne', 'WY', '82001', 41.14, -104.82, '307', 'M'],
]

export const towns: readonly Town[] = rows.map(([city, state, zip, latitude, longitude, areaCode, zone]) => ({
  city,
  state,
  zip,
  latitude,
  longitude,
  areaCode,
  timeZone: zones[zone],
}))
