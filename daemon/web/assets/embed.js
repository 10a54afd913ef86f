// Makes a frame that shows a shared page as high as that page. Plausible's embed code loads this
// script on the page that contains the frame.
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
  // A shared page that loaded before this script has sent its height to nobody, so ask for it.
  frames().forEach((frame) => frame.contentWindow.postMessage({ analyticsAsksHeight: true }, '*'));
})();
