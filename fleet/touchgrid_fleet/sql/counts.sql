-- The counts over all kiosks in `counts`: for each subject and place the sum, with the kiosk that counted
-- most. Place -1 has the sessions.
SELECT subjects.kind, subjects.key, sums.place, sums.count, sums.kiosk
FROM (
  SELECT subject, place, sum(CAST(count AS DECIMAL(38,0))) AS count, max_by(kiosk, abs(count)) AS kiosk
  FROM counts GROUP BY subject, place
) AS sums
JOIN (SELECT DISTINCT subject, kind, key FROM subjects) AS subjects ON subjects.subject = sums.subject
ORDER BY kind, key, place
