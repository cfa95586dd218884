"""Reads files on its own: one JSON request a line, one JSON answer a line. What it cannot read is refused."""
import csv, gzip, hashlib, io, json, re, sys, warnings, zipfile
import numpy as np

warnings.simplefilter("ignore")
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)  # numbers of any length
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
NOT_FINITE = re.compile(r"([+-]?)(nan|inf|infinity)", re.IGNORECASE)
IDX = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}


def numbers(array):
    """As orthodict holds them: float32 for half and single floats, float64 for the rest; one kind of NaN."""
    if array.dtype.kind not in "fiub":
        raise ValueError("not numbers")
    single = array.dtype.kind == "f" and array.dtype.itemsize <= 4
    held = np.ascontiguousarray(array, dtype=np.float32 if single else np.float64)
    held = held.copy()
    held[np.isnan(held)] = np.nan
    return {"shape": list(array.shape), "kind": str(held.dtype), "hash": hashlib.sha1(held.tobytes()).hexdigest()}


def content(path):
    with open(path, "rb") as file:
        raw = file.read()
    return gzip.decompress(raw) if path.endswith(".gz") else raw


def read_npy(path, array):
    return numbers(np.load(io.BytesIO(content(path)), allow_pickle=False))


def read_npz(path, array):
    with zipfile.ZipFile(path) as archive:
        return numbers(np.load(io.BytesIO(archive.read(array + ".npy")), allow_pickle=False))


def read_idx(path, array):
    raw = content(path)
    dtype = np.dtype(IDX[raw[2]])
    if raw[0] or raw[1] or not raw[3]:
        raise ValueError("not IDX")
    shape = [int.from_bytes(raw[4 + 4 * k : 8 + 4 * k], "big") for k in range(raw[3])]
    start = 4 + 4 * raw[3]
    count = int(np.prod([float(size) for size in shape]))
    if len(raw) < start + count * dtype.itemsize:
        raise ValueError("too short")
    data = np.frombuffer(raw, dtype, count, start)
    return numbers(data.reshape(shape[0], -1))


def field_value(field):
    text = field.strip(" \t\r")
    if NUMBER.fullmatch(text):
        return float(text)
    if NOT_FINITE.fullmatch(text):
        return float(text)
    raise ValueError("not a number")


def read_csv(path, array):
    text = content(path).decode("utf-8-sig", errors="replace")
    lines = [line for line in text.split("\n") if line.strip(" \t\r")]
    bare = re.sub(r'"[^"]*"', "", lines[0])
    tabs = ".tsv" in path
    mark = "\t" if tabs else next((m for m in "\t;" if m in bare), ",")
    rows = [next(csv.reader([line.rstrip("\r")], delimiter=mark, strict=k > 0)) for k, line in enumerate(lines)]
    parsed = []
    for k, row in enumerate(rows):
        try:
            parsed.append([field_value(field) for field in row])
        except ValueError:
            if k > 0:
                raise
    return numbers(np.array(parsed, dtype=float).reshape(len(parsed), len(rows[0])))


def sparse_counts(path):
    with zipfile.ZipFile(path) as archive:
        load = lambda name: np.load(io.BytesIO(archive.read(name + ".npy")), allow_pickle=False)
        values, indices, indptr, (rows, cols) = [load(name) for name in ("data", "indices", "indptr", "shape")]
    ends = [int(end) for end in indptr]
    if any(float(x) != int(x) for array in (indices, indptr, values) for x in array) or len(ends) != rows + 1:
        raise ValueError("not compressed rows")
    entries = [(r, int(indices[k]), int(values[k])) for r in range(int(rows)) for k in range(ends[r], ends[r + 1])]
    return int(rows), int(cols), entries


def text_counts(path):
    lines = [re.split(r"[ \t,]+", line.strip(" \t\r,")) for line in content(path).decode("utf-8-sig", errors="replace").split("\n")]
    lines = [fields for fields in lines if fields != [""]]
    header = [int(fields[0]) for fields in lines[:3]] if len(lines[0]) == 1 else []
    body = lines[len(header):]
    if any(len(fields) != 3 for fields in body):
        raise ValueError("not document word count")
    named = not NUMBER.fullmatch(body[0][1])
    names = {}
    entries = [
        (int(d), names.setdefault(w, len(names)) if named else int(w), float(c)) for d, w, c in body
    ]
    least = min([1] + [d for d, _, _ in entries] + ([] if named else [w for _, w, _ in entries]))
    shift = 0 if named else least
    entries = [(d - least, w - shift, c) for d, w, c in entries]
    rows = header[0] if header else max(d for d, _, _ in entries) + 1
    cols = len(names) if named else header[1] if header else max(w for _, w, _ in entries) + 1
    return rows, cols, entries


def read_sparse(path, array):
    with zipfile.ZipFile(path) as archive:
        load = lambda name: np.load(io.BytesIO(archive.read(name + ".npy")), allow_pickle=False)
        values, indices, indptr, (rows, cols) = [load(name) for name in ("data", "indices", "indptr", "shape")]
    ends = [int(end) for end in indptr]
    places = [int(place) for place in indices]
    if ends[0] != 0 or ends != sorted(ends) or len(ends) != rows + 1 or ends[-1] != len(values) or len(places) != len(values):
        raise ValueError("not compressed rows")
    if any(float(x) != int(x) for x in [*indices, *indptr]) or not all(0 <= place < cols for place in places):
        raise ValueError("not in range")
    dense = np.zeros((int(rows), int(cols)), np.float32 if values.dtype.kind == "f" and values.dtype.itemsize <= 4 else float)
    for row in range(int(rows)):
        for k in range(ends[row], ends[row + 1]):
            dense[row, places[k]] += values[k]
    return numbers(dense)


def read_counts(path, array):
    rows, cols, entries = sparse_counts(path) if path.endswith(".npz") else text_counts(path)
    total = {}
    for document, word, count in entries:
        if not (0 <= document < rows and 0 <= word < cols and count >= 0 and count == int(count)):
            raise ValueError("not counts")
        total[document, word] = total.get((document, word), 0) + int(count)
    listed = sorted([d, w, c] for (d, w), c in total.items() if c > 0)
    return {"shape": [rows, cols], "hash": hashlib.sha1(json.dumps(listed, separators=(",", ":")).encode()).hexdigest()}


WAV = {(1, 8): "u1", (1, 16): "<i2", (1, 24): "i3", (1, 32): "<i4", (3, 32): "<f4", (3, 64): "<f8"}


def read_wav(path, array):
    raw = content(path)
    if raw[:4] not in (b"RIFF", b"RF64") or raw[8:12] != b"WAVE":
        raise ValueError("not WAV")
    at, form, long = 12, None, None
    while True:
        name, size = raw[at : at + 4], int.from_bytes(raw[at + 4 : at + 8], "little")
        if len(raw) < at + 8:
            raise ValueError("no data")
        at += 8
        if name == b"data":
            break
        if name == b"ds64" and raw[:4] == b"RF64":
            long = int.from_bytes(raw[at + 8 : at + 16], "little")
        if name == b"fmt ":
            tag, channels, _, _, align, bits = [int.from_bytes(raw[at + a : at + b], "little") for a, b in ((0, 2), (2, 4), (4, 8), (8, 12), (12, 14), (14, 16))]
            if tag == 0xFFFE:
                if size < 40 or raw[at + 26 : at + 40].hex() != "000000001000800000aa00389b71":
                    raise ValueError("unknown format")
                tag = int.from_bytes(raw[at + 24 : at + 26], "little")
            form = WAV[tag, bits]
            if size < 16 or not channels or align != channels * bits // 8:
                raise ValueError("not frames")
        at += size + size % 2
    rest = len(raw) - at
    size = (rest - rest % align if long is None else long) if size == 0xFFFFFFFF else size
    data = raw[at : at + size]
    if len(data) < size or size % align or not size:
        raise ValueError("truncated")
    if form == "i3":
        triples = np.frombuffer(data, "u1").reshape(-1, 3).astype(np.int64)
        whole = triples @ [1, 256, 65536]
        values = ((whole + 2**23) % 2**24 - 2**23) / 2**23
    elif form[-2] == "f":
        values = np.frombuffer(data, form)
    else:
        values = np.frombuffer(data, form).astype(float)
        values = (values - 128) / 128 if bits == 8 else values / 2 ** (bits - 1)
    values = values.reshape(-1, channels)
    return numbers(values.astype(np.float32) if bits < 32 else values)


READERS = {"wav": read_wav, "counts": read_counts, "sparse": read_sparse, "npy": read_npy, "npz": read_npz, "idx": read_idx, "csv": read_csv}

for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = READERS[request["kind"]](request["path"], request.get("array"))
    except (Exception, MemoryError) as error:
        answer = {"refused": f"{type(error).__name__}: {error}"[:200]}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
