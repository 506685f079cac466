"""The watch at one session: what the camera sees becomes records, questions, alarms, warnings and reminders.

`table_watch` is the way in, `policy` how sure and how patient it is. `seen_acts` go to the session, or become an
`open_question`; `camera_record` lets people correct the camera, `joining` a camera come late. `revealed_boards` and
`unread_boards` are for secret choices. `alerts` opens and closes what is said: `cloth_warning`, `legibility_warning`,
`reminders`.
"""
