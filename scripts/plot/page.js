/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The working table of the report page: choose quantity and step, sort by a column, filter, open a
 * cell, copy a command. The data are those of the static tables, whose cells carry their runs
 * (data-of: scripts/plot/page.json names their members); all of their text is put in as text. Without
 * this script the tables stay as they are.
 */
(function () {
  'use strict';
  var controls = document.getElementById('controls');
  openLinked();
  window.addEventListener('hashchange', openLinked);
  tellMissingDrawings();
  if (!controls) { return; }

  var FORM = 0, DT = 1, STATUS = 2, QUALITY = 3, VALUES = 4, KINDS = 5, FRAMED = 6, RECORD = 7,
      COMMAND = 8, REASON = 9, WHY = 10, SOLVER = 11, DRAWS = 12;
  var NUMBER = 'number', ROUNDING = 'rounding', OWN = 'reference', FAILED = 'failed', UNSUPPORTED = 'unsupported';
  var MAIN = 1, REFERENCE = 2, SMOOTH = 3;
  var LETTERS = {diverged: 'D', unstable: 'U', timeout: 'T', failed: 'F'};
  var state = {quantity: 0, step: 'row', sort: -1, down: false, group: '', status: '', quality: '',
               name: '', hidden: {}};
  var tables = list(document.querySelectorAll('#table table.grid'));
  var data = read();

  function list(many) { return Array.prototype.slice.call(many); }

  function of(element) { return JSON.parse(element.dataset.of); }

  // The runs of a cell: numbers of a run follow each other, and what else is known of it stands with the first.
  function runsOf(cell, form) {
    var runs = [];
    of(cell).forEach(function (one) {
      var quantity = one[0];
      if (quantity === 0) {
        runs.push([form, one[4], one[5], one[6] || '', [], [], [], one[7], one[8], one[9] || '', one[10] || '', one[11] || '', one[12]]);
      }
      var run = runs[runs.length - 1];
      run[VALUES][quantity] = one[1];
      run[KINDS][quantity] = one[2];
      run[FRAMED][quantity] = one[3] > 0;
    });
    return runs;
  }

  // Formulations, groups by number, and rows with all of their runs, from the tables as they came.
  function read() {
    var group, byTitle = {}, read = {forms: [], groups: [], rows: [], colours: 13};
    read.measures = of(controls).map(function (m) {
      return {title: m[1], shown: m[2], log: m[3] > 0, over: m[4] > 0, lo: m[5], hi: m[6]};
    });
    tables.forEach(function (table) {
      var first = read.forms.length;
      list(table.tHead.rows[0].cells).slice(2).forEach(function (head) {
        read.forms.push({name: head.textContent, place: of(head)[0][0]});
      });
      list(table.tBodies[0].rows).forEach(function (line) {
        if (line.className === 'group') { group = line.textContent; return; }
        var link = line.cells[0].querySelector('a'), title = link.textContent, row = byTitle[title], own = of(line)[0];
        if (!row) {
          row = byTitle[title] = {title: title, dt: own[0], t_end: own[1], reference: own[2], group: own[3], runs: [],
            at: link.getAttribute('href'), below: line.cells[0].querySelector('.why')};
          read.groups[own[3]] = group;
          read.rows.push(row);
        }
        list(line.cells).slice(2).forEach(function (cell, i) {
          row.runs = row.runs.concat(runsOf(cell, first + i));
        });
      });
    });
    return read;
  }

  function make(tag, text, name) {
    var element = document.createElement(tag);
    if (text !== undefined) { element.textContent = text; }
    if (name) { element.className = name; }
    return element;
  }

  // The sketch of a row's case; NULL: there is none.
  function sketchOf(row) {
    var drawn = document.querySelector('[id="' + row.at.slice(1) + '"] img');
    if (!drawn) { return null; }
    drawn = drawn.cloneNode();
    drawn.className = 'sketch';
    return drawn;
  }

  // To what a row's case is, with its sketch.
  function caseLink(row) {
    var link = make('a', row.title), sketch = sketchOf(row);
    link.href = row.at;
    if (sketch) {
      sketch.alt = '';
      link.insertBefore(sketch, link.firstChild);
    }
    return link;
  }

  // A link to a place that is folded away opens what it is in. Behind an & stands what the table shows.
  function openLinked() {
    var place = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1).split('&')[0]));
    for (var at = place; at; at = at.parentElement) {
      if (at.tagName === 'DETAILS') { at.open = true; }
    }
    if (place) { place.scrollIntoView(); }
  }

  // A drawing that is not beside the page: say where it belongs.
  function tellMissingDrawings() {
    document.addEventListener('error', function (event) {
      var image = event.target;
      if (image.tagName === 'IMG' && !image.dataset.told) {
        image.dataset.told = '1';
        image.closest('figure').appendChild(make('p', 'The drawing is not where the page looks for it, ' +
            image.getAttribute('src') + ': was the page moved without its folder?', 'warning'));
      }
    }, true);
  }

  // Three digits, small numbers with an exponent.
  function short(x) {
    return x === null ? '–' : x !== 0 && (Math.abs(x) < 1e-4 || Math.abs(x) >= 1e4) ?
        x.toExponential(2).replace(/\.?0+e/, 'e') : String(Number(x.toPrecision(3)));
  }

  // ---- what a cell shows ----

  function stepOf(row) {
    return state.step === 'row' ? row.dt : state.step === 'short' ? 'short' : Number(state.step);
  }

  function wanted(run, row, step) {
    return data.forms[run[FORM]].place === REFERENCE || step === 'short' || run[DT] === step;
  }

  // Of the runs of a formulation at the step, or the shortest of all: the first, that of the overview.
  function pickAtStep(row, form) {
    var step = stepOf(row), found = null;
    row.runs.forEach(function (run) {
      if (run[FORM] === form && wanted(run, row, step) &&
          (!found || (step === 'short' && run[DT] < found[DT]))) { found = run; }
    });
    return found;
  }

  // The same, or where a status or quality is looked for a run of another step that has it.
  function pick(row, form) {
    var found = pickAtStep(row, form);
    if ((state.status !== '' || state.quality !== '') && (!found || isDimmed(found))) {
      row.runs.forEach(function (run) {
        if (run[FORM] === form && !isDimmed(run)) { found = run; }
      });
    }
    return found;
  }

  // The least of the row among what is of use, at the step shown.
  function leastOf(row) {
    var least = Infinity;
    data.forms.forEach(function (form, i) {
      var run = form.place === REFERENCE ? null : pickAtStep(row, i);
      if (run && run[KINDS][state.quantity] === NUMBER && run[QUALITY] !== 'useless') {
        least = Math.min(least, run[VALUES][state.quantity]);
      }
    });
    return least;
  }

  function shownNumber(run, least) {
    var measure = data.measures[state.quantity], x = run[VALUES][state.quantity];
    x = measure.over ? x / least : x;
    return measure.log ? Math.log10(x) : x;
  }

  function format(x) {
    return data.measures[state.quantity].log ? x.toFixed(1) :
        x >= 9.95 ? x.toFixed(0) : x >= 0.095 ? String(Number(x.toPrecision(2))) : x.toExponential(0);
  }

  function colour(x) {
    var m = data.measures[state.quantity], size = m.log ? x : Math.log10(x);
    var level = Math.round((size - m.lo) / (m.hi - m.lo) * (data.colours - 1));
    return 'c' + Math.max(0, Math.min(data.colours - 1, level));
  }

  function isDimmed(run) {
    return (state.status !== '' && run[STATUS] !== state.status) ||
           (state.quality !== '' && run[QUALITY] !== state.quality);
  }

  function cellOf(row, form, least) {
    var run = pick(row, form), cell = make('td');
    if (!run) { cell.textContent = '·'; return cell; }
    var kind = run[KINDS][state.quantity], text = '–', look = 'plain';
    if (kind === NUMBER) {
      var x = shownNumber(run, least);
      text = format(x) + (run[STATUS] === 'unconverged' ? '*' : '');
      look = colour(x);
    } else if (kind === ROUNDING) { text = '≈ 0'; look = 'zero';
    } else if (kind === OWN) { text = 'ref';
    } else if (kind === FAILED) { text = LETTERS[run[STATUS]] || '?'; look = 'bad';
    } else if (kind === UNSUPPORTED) { text = 'n/a'; look = 'off'; }
    var isFramed = state.step !== 'short' && run[FRAMED][state.quantity];
    var button = make('button', text);
    button.type = 'button';
    button.title = row.title + ', ' + data.forms[form].name + ', ' + short(run[DT]) + ' s, ' + run[STATUS] +
        (run[QUALITY] === 'useless' ? ', useless' : '');
    button.tabIndex = -1;
    button.addEventListener('click', function () { openCell(row, form); });
    cell.className = look + (kind === NUMBER && run[QUALITY] === 'useless' ? ' useless' : '') +
        (isFramed ? ' best' : '') + (isDimmed(run) ? ' dim' : '');
    cell.appendChild(button);
    return cell;
  }

  // ---- the tables ----

  function formsOf(place) {
    var forms = [];
    data.forms.forEach(function (form, i) { if (form.place === place && !state.hidden[i]) { forms.push(i); } });
    if (place === MAIN) {
      data.forms.forEach(function (form, i) { if (form.place === REFERENCE && !state.hidden[i]) { forms.push(i); } });
    }
    return forms;
  }

  function isSupported(row, forms) {
    return row.runs.some(function (run) { return forms.indexOf(run[FORM]) >= 0 && run[STATUS] !== 'unsupported'; });
  }

  function isWanted(row, forms) {
    if (state.group !== '' && row.group !== Number(state.group)) { return false; }
    if (row.title.toLowerCase().indexOf(state.name.toLowerCase()) < 0) { return false; }
    return (state.status === '' && state.quality === '') || forms.some(function (form) {
      var run = pick(row, form);
      return run && !isDimmed(run);
    });
  }

  function keyOf(row) {
    var run = pick(row, state.sort), kind = run ? run[KINDS][state.quantity] : '';
    return kind === ROUNDING ? -Infinity : kind === NUMBER ? shownNumber(run, leastOf(row)) : Infinity;
  }

  function header(title, isSorted, sort) {
    var head = make('th'), button = make('button', title);
    button.type = 'button';
    if (isSorted) { head.setAttribute('aria-sort', state.down ? 'descending' : 'ascending'); }
    button.addEventListener('click', function () {
      var place = button.closest('table');
      state.down = state.sort === sort && !state.down;
      state.sort = sort;
      change();
      list(place.querySelectorAll('thead button')).forEach(function (again) {
        if (again.textContent === title) { again.focus(); }
      });
    });
    head.appendChild(button);
    return head;
  }

  function drawTable(table) {
    var place = table === tables[0] ? MAIN : SMOOTH, forms = formsOf(place), last = -1;
    var head = make('tr'), body = make('tbody');
    var rows = data.rows.filter(function (row) {
      return (place === MAIN || isSupported(row, forms)) && isWanted(row, forms);
    });
    if (state.sort >= 0) {
      var keyed = rows.map(function (row) { return [keyOf(row), row]; });
      keyed.sort(function (a, b) { // what has no number stands last, upward and downward
        return a[0] === b[0] ? 0 : a[0] === Infinity ? 1 : b[0] === Infinity ? -1 :
            (a[0] > b[0]) !== state.down ? 1 : -1;
      });
      rows = keyed.map(function (pair) { return pair[1]; });
    }
    head.appendChild(header('case', state.sort === -1, -1));
    head.appendChild(make('th', 'step'));
    forms.forEach(function (form) {
      var column = header(data.forms[form].name, state.sort === form, form);
      if (data.forms[form].place === REFERENCE) { column.className = 'apart'; }
      head.appendChild(column);
    });
    rows.forEach(function (row) {
      var line = make('tr'), least = leastOf(row), step = stepOf(row);
      if (state.sort < 0 && row.group !== last) {
        var group = make('tr', undefined, 'group'), name = make('th', data.groups[row.group]);
        last = row.group;
        name.colSpan = 2;
        group.appendChild(name);
        body.appendChild(group);
      }
      line.appendChild(make('th')).appendChild(caseLink(row));
      if (row.below) { line.lastChild.appendChild(row.below.cloneNode(true)); }
      line.appendChild(make('td', step === 'short' ? 'shortest' : short(step) + ' s', 'step'));
      forms.forEach(function (form) { line.appendChild(cellOf(row, form, least)); });
      body.appendChild(line);
    });
    table.tHead.replaceChildren(head);
    table.replaceChild(body, table.tBodies[0]);
    letArrowsMove(body);
    return rows.length;
  }

  // One link or button of a table can be reached by the tabulator; arrow keys go to the others.
  function letArrowsMove(body) {
    var links = list(body.querySelectorAll('button, a'));
    links.forEach(function (link, i) { link.tabIndex = i === 0 ? 0 : -1; });
    body.addEventListener('keydown', moveFocus);
    body.addEventListener('focusin', function (event) {
      if (links.indexOf(event.target) < 0) { return; }
      links.forEach(function (link) { link.tabIndex = -1; });
      event.target.tabIndex = 0;
    });
  }

  // To the next of a cell with several, then to the next cell that has any.
  function moveFocus(event) {
    var step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
    var cell = event.target.closest('td, th');
    if (!step || !cell) { return; }
    var rows = list(cell.closest('tbody').rows), i = rows.indexOf(cell.parentElement), j = cell.cellIndex;
    var own = list(cell.querySelectorAll('button, a')), next = step[1] !== 0 && own[own.indexOf(event.target) + step[1]];
    event.preventDefault();
    while (!next) {
      i += step[0];
      j += step[1];
      if (!rows[i] || j < 0 || j >= cell.parentElement.cells.length) { return; }
      own = rows[i].cells[j] ? list(rows[i].cells[j].querySelectorAll('button, a')) : [];
      next = own[step[1] < 0 ? own.length - 1 : 0];
    }
    next.focus();
  }

  function draw() {
    var n = tables.map(drawTable)[0], m = data.measures[state.quantity];
    count.textContent = n + ' of ' + data.rows.length + ' cases. A number is the ' + m.shown +
        (state.step === 'short' ? '; each at its own shortest step, nothing is framed.' : '.') +
        ' Click a column to sort, a cell for its runs.';
  }

  // ---- what is shown, in the address ----

  var KEPT = ['quantity', 'step', 'sort', 'down', 'group', 'status', 'quality', 'name', 'hidden'];

  // As text; formulations by name, for their order is that of the suite.
  function told(key) {
    var value = state[key];
    return key === 'sort' ? (value < 0 ? '' : data.forms[value].name) : key === 'down' ? (value ? 'down' : '') :
        key === 'hidden' ? data.forms.filter(function (form, i) { return value[i]; }).map(function (form) { return form.name; }).join() :
        String(value);
  }

  var plainly = {};
  KEPT.forEach(function (key) { plainly[key] = told(key); });

  function change() {
    var parts = KEPT.filter(function (key) { return told(key) !== plainly[key]; }).map(function (key) {
      return '&' + key + '=' + encodeURIComponent(told(key));
    });
    try { history.replaceState(null, '', '#table' + parts.join('')); } catch (error) { /* a page that may not */ }
    draw();
  }

  function formNamed(name) {
    for (var i = 0; i < data.forms.length; ++i) {
      if (data.forms[i].name === name) { return i; }
    }
    return -1;
  }

  function takeAddress() {
    var parts = location.hash.split('&');
    if (parts[0] !== '#table') { return; }
    parts.slice(1).forEach(function (part) {
      var key = part.split('=')[0], value = decodeURIComponent(part.slice(key.length + 1));
      if (key === 'sort') { state.sort = formNamed(value);
      } else if (key === 'down') { state.down = value === 'down';
      } else if (key === 'quantity') { state.quantity = data.measures[Number(value)] ? Number(value) : 0;
      } else if (key === 'hidden') {
        value.split(',').forEach(function (name) { if (formNamed(name) >= 0) { state.hidden[formNamed(name)] = true; } });
      } else if (KEPT.indexOf(key) >= 0) { state[key] = value; }
    });
  }

  takeAddress();

  // ---- an opened cell ----

  var dialog = document.body.appendChild(make('dialog'));
  dialog.addEventListener('click', function (event) { if (event.target === dialog) { dialog.close(); } });

  function copy(text, button) {
    function done(isDone) { button.textContent = isDone ? 'copied' : 'select and copy'; }
    function byHand() {
      var area = dialog.appendChild(make('textarea', text));
      area.select();
      done(document.execCommand('copy'));
      area.remove();
    }
    if (navigator.clipboard) {
      navigator.clipboard.writeText(text).then(function () { done(true); }, byHand);
    } else { byHand(); }
  }

  function runLine(run) {
    var line = make('tr'), link = make('a', short(run[DT]) + ' s' + (run[DRAWS] ? ', median of ' + run[DRAWS] : ''));
    link.href = run[RECORD];
    line.appendChild(make('td')).appendChild(link);
    line.appendChild(make('td')).appendChild(make('span', run[STATUS], 'badge ' + run[STATUS]));
    line.appendChild(make('td', run[QUALITY] || '–'));
    line.appendChild(make('td', run[SOLVER] || '–'));
    run[VALUES].forEach(function (x) {
      line.appendChild(make('td', short(x), 'number'));
    });
    return line;
  }

  function openCell(row, form) {
    var shown = pick(row, form), close = make('button', 'close'), table = make('table'), head = make('tr');
    close.type = 'button';
    close.className = 'close';
    close.addEventListener('click', function () { dialog.close(); });
    var about = make('a', data.forms[form].name), heading = make('h3', row.title + ', ');
    about.href = '#form-' + data.forms[form].name;
    about.addEventListener('click', function () { dialog.close(); });
    heading.appendChild(about);
    dialog.replaceChildren(close, heading);
    var sketch = sketchOf(row);
    if (sketch) {
      dialog.appendChild(sketch);
      sketch.loading = 'eager';
    }
    dialog.appendChild(make('p', 'To ' + row.t_end + ' s; reference: ' + row.reference + '. ' +
        (shown[REASON] || shown[WHY])));
    ['step', 'status', 'quality', 'solver'].concat(data.measures.map(function (m) { return m.title; }))
        .forEach(function (title) { head.appendChild(make('th', title)); });
    table.appendChild(make('thead')).appendChild(head);
    var body = table.appendChild(make('tbody'));
    row.runs.filter(function (run) { return run[FORM] === form; }).sort(function (a, b) { return b[DT] - a[DT]; })
        .forEach(function (run) { body.appendChild(runLine(run)); });
    dialog.appendChild(make('div', undefined, 'scroll')).appendChild(table);
    dialog.appendChild(make('p', 'Error and penetration over the length, drift over the energy, iterations a step, time in s. To repeat the run, in the folder of the project:', 'why'));
    var again = dialog.appendChild(make('p')), button = make('button', 'copy', 'copy');
    var command = 'PATH="build:$PATH" ' + shown[COMMAND]; // built there, or else installed
    button.type = 'button';
    again.appendChild(make('code', command));
    again.appendChild(document.createTextNode(' '));
    again.appendChild(button);
    button.addEventListener('click', function () { copy(command, button); });
    dialog.showModal();
  }

  // ---- controls ----

  function choose(name, label, options) {
    var box = make('label', label + ' '), select = make('select');
    select.name = name;
    options.forEach(function (option) {
      var item = make('option', option[1]);
      item.value = option[0];
      select.appendChild(item);
    });
    select.value = state[name];
    select.addEventListener('change', function () { state[name] = select.value; change(); });
    box.appendChild(select);
    controls.appendChild(box);
  }

  function distinct(member) {
    var found = [];
    data.rows.forEach(function (row) {
      row.runs.forEach(function (run) { if (run[member] !== '' && found.indexOf(run[member]) < 0) { found.push(run[member]); } });
    });
    return found;
  }

  function plain(x) { return [x, x]; }

  choose('quantity', 'show', data.measures.map(function (m, i) { return [i, m.title]; }));
  choose('step', 'at step', [['row', 'shared by the row'], ['short', 'shortest of each']].concat(
      distinct(DT).sort(function (a, b) { return b - a; }).map(function (dt) { return [dt, short(dt) + ' s']; })));
  choose('group', 'group', [['', 'all']].concat(data.groups.map(function (name, i) { return [i, name.split(':')[0]]; })));
  choose('status', 'status', [['', 'any']].concat(distinct(STATUS).map(plain)));
  choose('quality', 'quality', [['', 'any']].concat(distinct(QUALITY).map(plain)));
  var search = make('input');
  search.type = 'search';
  search.placeholder = 'case';
  search.setAttribute('aria-label', 'case');
  search.value = state.name;
  search.addEventListener('input', function () { state.name = search.value; change(); });
  controls.appendChild(search);
  var columns = make('details'), boxes = make('div', undefined, 'columns');
  columns.appendChild(make('summary', 'formulations'));
  data.forms.forEach(function (form, i) {
    var box = make('label'), check = make('input');
    check.type = 'checkbox';
    check.checked = !state.hidden[i];
    check.addEventListener('change', function () { state.hidden[i] = !check.checked; change(); });
    box.appendChild(check);
    box.appendChild(document.createTextNode(' ' + form.name));
    boxes.appendChild(box);
  });
  columns.appendChild(boxes);
  controls.appendChild(columns);
  var count = make('p', '', 'why');
  controls.appendChild(count);
  controls.hidden = false;
  list(document.querySelectorAll('.solvers tbody, .best-of tbody, .by-case tbody')).forEach(letArrowsMove);
  draw();
})();
