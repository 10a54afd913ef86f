// For pages that show a shared page in a frame, by Plausible's embed code: makes the frame as high as
// the page in it.
'use strict';
addEventListener('message', (event) => {
  const height = event.data && event.data.analyticsHeight;
  if (typeof height !== 'number') return;
  document.querySelectorAll('iframe[plausible-embed], iframe[data-analytics-embed]').forEach((frame) => {
    if (frame.contentWindow === event.source) frame.style.height = Math.min(Math.max(height, 100), 30000) + 'px';
  });
});
