-- The sums over all kiosks in `counts`, by subject and place, each with the kiosk that counted
-- most. The place -1 has the number of sessions, and the subject's text.
SELECT subjects.kind, sums.id, CASE WHEN sums.place < 0 THEN subjects.key END AS key, sums.place, sums.count,
  sums.kiosk
FROM (
  SELECT subject AS id, place, sum(CAST(count AS DECIMAL(38,0))) AS count,
    max_by(kiosk, abs(CAST(count AS DECIMAL(38,0)))) AS kiosk
  FROM counts GROUP BY subject, place
) AS sums
JOIN (SELECT DISTINCT subject, kind, key FROM subjects) AS subjects ON subjects.subject = sums.id
ORDER BY kind, id, place
