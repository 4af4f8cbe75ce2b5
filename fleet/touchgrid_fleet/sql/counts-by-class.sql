-- The counts of a day by class: for each part of a subject its numbers and sessions over the `chosen` kiosks,
-- with a bit for each kiosk that has some. Part -1 has the subject's sessions.
-- `shown` has the subjects, with the size of their parts, and the place in one of its own sessions.
WITH divided AS (
  SELECT subject, kiosk, class, bit, place, count, own, size,
    CASE WHEN place < 0 THEN -1 ELSE place // size END AS part
  FROM counts JOIN chosen USING (kiosk) JOIN shown USING (subject)
), all_sessions AS (
  SELECT subject, kiosk, sum(count) AS sessions FROM divided WHERE part < 0 GROUP BY subject, kiosk
), kiosk_parts AS (
  -- Whoever has numbers of a part had at least one session.
  SELECT subject, kiosk, any_value(class) AS class, any_value(bit) AS bit, part, CASE
    WHEN part < 0 OR any_value(own) IS NULL THEN any_value(all_sessions.sessions)
    ELSE least(any_value(all_sessions.sessions),
      greatest(1, coalesce(sum(count) FILTER (WHERE place = part * size + own), 1))) END AS sessions
  FROM divided JOIN all_sessions USING (subject, kiosk) GROUP BY subject, kiosk, part
), parts AS (
  SELECT subject, class, part, sum(sessions) AS sessions, bit_or(bit) AS bits FROM kiosk_parts
  GROUP BY subject, class, part
), numbers AS (
  SELECT subject, class, part, map_from_entries(list((place, total) ORDER BY place)) AS numbers
  FROM (SELECT subject, class, part, place, sum(CAST(count AS DECIMAL(38,0))) AS total FROM divided WHERE part >= 0
    GROUP BY subject, class, part, place)
  GROUP BY subject, class, part
)
SELECT kind, key, class, part, sessions, bits, numbers
FROM parts JOIN shown USING (subject) LEFT JOIN numbers USING (subject, class, part)
