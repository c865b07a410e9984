/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reader does with the report page, on the suite of tests/cli/page.sh. What
 * the page that frames it is sent says in each line "ok" or "FAIL" and what was looked at.
 */
(async function () {
  'use strict';
  var lines = [], copied = null;

  function check(what, holds) { lines.push((holds ? 'ok ' : 'FAIL ') + what); }
  function list(many) { return Array.prototype.slice.call(many); }
  function all(selector) { return list(document.querySelectorAll(selector)); }
  function rows() { return all('table.grid.main tbody tr:not(.group)'); }
  function nameOf(row) { return row.cells[0].querySelector('a').textContent; }
  function texts(column) { return rows().map(function (row) { return column === 0 ? nameOf(row) : row.cells[column].textContent; }); }
  function named(name) { return rows().find(function (row) { return nameOf(row) === name; }); }
  function head(name) {
    return all('table.grid.main thead button').find(function (b) { return b.textContent === name; });
  }
  function columnOf(name) { return head(name).closest('th').cellIndex; }
  function choose(name, value) {
    var select = document.querySelector('select[name=' + name + ']');
    select.value = value;
    select.dispatchEvent(new Event('change'));
    return select.value === String(value);
  }
  function wait() { return new Promise(function (done) { setTimeout(done, 50); }); }

  // Contrast of an element's text with what is behind it (WCAG 2, 1.4.3).
  function contrast(element) {
    var behind = element;
    function light(colour) {
      var c = colour.match(/[\d.]+/g).map(Number);
      return [0.2126, 0.7152, 0.0722].reduce(function (sum, part, i) {
        var x = c[i] / 255;
        return sum + part * (x <= 0.03928 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4));
      }, 0);
    }
    function isClear(e) { return /^rgba\(.*, 0\)$/.test(getComputedStyle(e).backgroundColor); }
    while (isClear(behind) && behind !== document.documentElement) { behind = behind.parentElement; }
    var text = light(getComputedStyle(element).color);
    var paper = light(isClear(behind) ? 'rgb(255, 255, 255)' : getComputedStyle(behind).backgroundColor);
    return (Math.max(text, paper) + 0.05) / (Math.min(text, paper) + 0.05);
  }

  try {
    check('the page is ' + (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'), true);
    var faint = all('p, h2, h3, th, td, a, summary, figcaption, button, .badge, .why').filter(function (e) {
      return e.textContent.trim() !== '' && contrast(e) < 4.5;
    });
    check('text can be read' + (faint.length > 0 ? ', not ' + faint[0].tagName + '.' + faint[0].className + ' "' +
          faint[0].textContent.slice(0, 40) + '" ' + contrast(faint[0]).toFixed(2) : ''), faint.length === 0);
    check('no sideways scrolling of the page: ' + document.documentElement.scrollWidth + ' of ' +
          innerWidth + ' px', document.documentElement.scrollWidth <= innerWidth);
    check('the controls are there', document.getElementById('controls').offsetHeight > 0);
    check('the overview is drawn', document.querySelector('#overview img').naturalWidth > 100);
    var asked = all('.answers th a');
    check('what is asked first leads somewhere', asked.length === 7 && asked.every(function (a) {
      return document.getElementById(a.hash.slice(1));
    }));
    check('names in answers lead to what they are', all('.answers td a').length > 3 && all('.answers td a').every(function (a) {
      return document.getElementById(a.hash.slice(1)).textContent === a.textContent;
    }));
    check('cases that failed, too', all('#failures tbody th a').length > 0 && all('#failures tbody th a').every(function (a) {
      return document.getElementById(decodeURIComponent(a.hash.slice(1)));
    }));
    asked.find(function (a) { return /energy/.test(a.textContent); }).click();
    await wait();
    check('one click to the energy', location.hash === '#study-energy' &&
          document.getElementById('study-energy').offsetHeight > 0);
    check('the heading is a finding: ' + document.querySelector('h1').textContent, /^coulombench: .* in \d+ of \d+ cases$/.test(document.querySelector('h1').textContent));
    check('all cases stand in groups', rows().length === 6 && all('.grid .group').length >= 2);
    check('a label of a file is shown as text', !all('img').some(function (i) { return i.getAttribute('src') === 'x'; }));

    var top = named('tippe-top');
    check('a row without a reference says so', /no reference/.test(top.cells[0].querySelector('.why').textContent) &&
          top.cells[columnOf('moreau')].textContent === '–');
    function linesOf(table, name) {
      return all(table + ' tbody tr').filter(function (row) { return row.cells[0].textContent === name; })
          .map(function (row) { return row.textContent; });
    }
    check('and why nobody is the best of it', /No error is known: .*friction sets/.test(linesOf('.best-of', 'tippe-top')[0]));
    check('why somebody is the best: ' + linesOf('.best-of', 'falling-particle'),
          /falls as dt\^/.test(linesOf('.best-of', 'falling-particle')[0]));
    check('useless runs among the failures, by case', /moreau 1 of 3 useless/.test(linesOf('.by-case', 'falling-particle, far')[0]));
    check('and by cause, counted', all('#failures summary').some(function (s) { return /^[1-9]\d* useless: position: # of the length/.test(s.textContent); }));

    var n = columnOf('moreau'), before = texts(0).join();
    head('moreau').click();
    var up = texts(n).map(Number).filter(isFinite);
    check('a column sorts upward: ' + up, up.length === 3 && up.every(function (x, i) { return i === 0 || x >= up[i - 1]; }));
    check('the heading says so', head('moreau').closest('th').getAttribute('aria-sort') === 'ascending');
    head('moreau').click();
    var down = texts(n).map(Number).filter(isFinite);
    check('and downward: ' + down, down.length === 3 && down.join() === up.slice().reverse().join());
    check('what has no number stands last', !isFinite(Number(texts(n)[texts(n).length - 1])));
    check('the heading keeps the focus', document.activeElement === head('moreau'));
    head('case').click();
    check('and back to the order of groups', texts(0).join() === before);

    ['table.grid.main', '#solvers', '.best-of', '.by-case'].forEach(function (table) {
      check('one stop of the tabulator for all of ' + table, all(table + ' tbody a, ' + table + ' tbody button').length > 1 &&
            all(table + ' tbody [tabindex="0"]').length === 1 && all(table + ' tbody a:not([tabindex])').length === 0);
    });
    function press(key) {
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: key, bubbles: true}));
      return document.activeElement;
    }
    var first = all('table.grid.main tbody [tabindex="0"]')[0];
    first.focus();
    var at = press('ArrowDown').closest('th');
    check('arrow keys go to the others, over headings of groups', at.parentElement.rowIndex > first.closest('tr').rowIndex &&
          at.cellIndex === first.closest('th').cellIndex && document.activeElement.tabIndex === 0);
    check('and to cells beside', press('ArrowRight').closest('td').parentElement === at.parentElement);
    var links = all('.by-case tbody tr').map(function (row) { return list(row.cells[1].querySelectorAll('a')); })
        .find(function (some) { return some.length > 1; });
    links[0].focus();
    check('and to each link of a cell', press('ArrowRight') === links[1] && press('ArrowLeft') === links[0]);

    choose('group', 0);
    check('a group alone: smooth', texts(0).length === 1 && texts(0)[0].indexOf('free-top') === 0);
    choose('group', '');
    choose('status', 'diverged');
    check('a status alone: diverged', texts(0).join() === 'oscillator');
    choose('step', 0.01);
    check('also where another step is shown', texts(0).join() === 'oscillator' && rows()[0].cells[n].textContent === 'D');
    choose('step', 'row');
    check('the address says what is shown', location.hash === '#table&status=diverged');
    choose('status', '');
    choose('quality', 'useless');
    check('a quality alone: useless', texts(0).length >= 1 && rows().length !== 6);
    check('what is useless is hatched', all('table.grid.main td.useless').length >= 1);
    choose('quality', '');
    var search = document.querySelector('#controls input[type=search]');
    search.value = 'FAR';
    search.dispatchEvent(new Event('input'));
    check('a case by its name', texts(0).length === 1);
    search.value = '';
    search.dispatchEvent(new Event('input'));
    var box = all('.columns input')[0];
    box.click();
    check('a formulation less', !head('moreau') && rows().length === 6);
    box.click();

    var error = texts(n).join();
    check('another step', choose('step', 0.01) && texts(n).join() !== error);
    choose('step', 'row');
    check('another quantity', choose('quantity', 4) && texts(n).join() !== error);
    choose('quantity', 0);
    check('and back', texts(n).join() === error);

    var failed = named('oscillator');
    check('a failure is a letter', failed.cells[n].textContent === 'D');
    failed.cells[n].querySelector('button').click();
    var dialog = document.querySelector('dialog');
    check('a cell opens', dialog.open);
    check('with the reason', /diverg|finite|bound|left/.test(dialog.querySelector('p').textContent));
    dialog.querySelector('.close').click();
    check('and closes', !dialog.open);
    named('falling-particle')
        .cells[n].querySelector('button').click();
    check('all steps of a cell', dialog.querySelectorAll('tbody tr').length === 3);
    check('its iterations', /iterations/.test(dialog.querySelector('thead').textContent));
    check('a link to each record', Array.prototype.every.call(dialog.querySelectorAll('tbody a'),
        function (a) { return /falling-particle--moreau--dt0\.0[013]+\.json$/.test(a.href); }));
    check('its command', /coulombench run falling-particle -f moreau/.test(dialog.querySelector('code').textContent));
    check('a sketch in each row', rows().every(function (row) { return row.cells[0].querySelector('a img.sketch'); }));
    check('a sketch of its case', dialog.querySelector('img.sketch').naturalWidth > 100);
    lines.push('command ' + dialog.querySelector('code').textContent);
    check('the dialog fits', dialog.getBoundingClientRect().width <= innerWidth);
    Object.defineProperty(navigator, 'clipboard', {configurable: true, value: {
      writeText: function (text) { copied = text; return Promise.resolve(); }}});
    dialog.querySelector('.copy').click();
    await wait();
    check('the command is copied', copied === dialog.querySelector('code').textContent);
    check('the button says so', dialog.querySelector('.copy').textContent === 'copied');
    Object.defineProperty(navigator, 'clipboard', {configurable: true, value: undefined});
    document.addEventListener('copy', function () { copied = String(dialog.querySelector('textarea').value); });
    copied = null;
    dialog.querySelector('.copy').click();
    await wait();
    check('also where there is no clipboard for scripts', copied === dialog.querySelector('code').textContent ||
          dialog.querySelector('.copy').textContent === 'select and copy');
    dialog.close();

    var drawn = rows().find(function (row) { return /^falling-particle, far/.test(nameOf(row)); }).cells[columnOf('ccp')];
    check('an ensemble stands before a run alone, as in the overview: ' + drawn.textContent, /\*$/.test(drawn.textContent));
    drawn.querySelector('button').click();
    check('its cell tells of how many runs', /median of 4/.test(dialog.textContent) && /--ensemble/.test(dialog.querySelector('code').textContent));
    dialog.close();
    check('a sketch of each case', all('#cases figure').length === 4 &&
          all('#cases figcaption b').map(function (b) { return b.textContent; }).sort().join() === 'falling-particle,free-top,oscillator,tippe-top');
    check('cases of the table lead to theirs', rows().every(function (row) {
      var at = row.cells[0].querySelector('a').hash;
      return document.getElementById(at.slice(1)).querySelector('img') !== null;
    }));
    all('nav a').forEach(function (a) {
      a.click();
      check('the link ' + a.textContent + ' leads to its section', document.querySelector(location.hash) !== null);
    });
    location.hash = '#study-order-falling-particle';
    await wait();
    var study = document.getElementById('study-order-falling-particle');
    check('a link into a fold opens it', study.closest('details').open && study.offsetHeight > 0);
  } catch (error) {
    check('the test itself: ' + error, false);
  }
  parent.postMessage('\n' + lines.join('\n') + '\nend of the test at ' + innerWidth + ' px\n', '*');
})();
