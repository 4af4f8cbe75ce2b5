-- The views of all kiosks in `views`, added up for each screen, display and geometry.
SELECT screen, display, pixel_width, pixel_height, scale, rotation, block_size,
  sum(CAST(sessions AS DECIMAL(38,0))) AS sessions,
  sum(CAST(shown_ms AS DECIMAL(38,0))) AS shown_ms,
  sum(CAST(touches AS DECIMAL(38,0))) AS touches
FROM views
GROUP BY screen, display, pixel_width, pixel_height, scale, rotation, block_size
ORDER BY screen, display, pixel_width, pixel_height, scale, rotation, block_size
