// For pages that show a shared page in a frame, by Plausible's embed code: makes the frame as high as
// the page in it.
'use strict';
(() => {
  const frames = () => document.querySelectorAll('iframe[plausible-embed], iframe[data-analytics-embed]');
  addEventListener('message', (event) => {
    const height = event.data && event.data.analyticsHeight;
    if (typeof height !== 'number') return;
    frames().forEach((frame) => {
      if (frame.contentWindow === event.source) frame.style.height = Math.min(Math.max(height, 100), 30000) + 'px';
    });
  });
  // A page that was there first has told its height to nobody.
  frames().forEach((frame) => frame.contentWindow.postMessage({ analyticsAsksHeight: true }, '*'));
})();
