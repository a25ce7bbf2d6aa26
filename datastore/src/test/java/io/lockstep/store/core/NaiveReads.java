package io.lockstep.store.core;

import static java.util.Objects.requireNonNull;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.TableSpec.Kind;
import io.lockstep.store.codec.References;
import io.lockstep.store.codec.RowCodec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What each read means, on plain maps. {@link NaiveStore} changes them. */
class NaiveReads {
  static final Reply ABSENT = new Reply.Absent();

  final Map<String, TableSpec> specs = new TreeMap<>();
  final Map<String, Long> declaredAt = new HashMap<>();
  Map<Place, Entry> entries = new HashMap<>();

  record Place(String table, Bytes key) {}

  /** An entry; null where there is none. */
  final @Nullable Entry entry(String table, Bytes key) {
    return entries.get(new Place(table, key));
  }

  final Reply held(String table, Bytes key, Function<Entry, Reply> meaning) {
    Entry entry = entries.get(new Place(table, key));
    return entry == null ? ABSENT : meaning.apply(entry);
  }

  final Reply get(Command.Get c) {
    return held(c.table(), c.key(), e -> new Reply.Found(e.value(), e.version()));
  }

  final Reply columns(Command.GetColumns c) {
    return held(
        c.table(), c.key(), e -> new Reply.Columns(select(e.value(), c.columns()), e.version()));
  }

  /** One read of each kind. */
  final Reply look(Bytes key) {
    Command.Scan scan = new Command.Scan("b", key, null, 2);
    List<Entry> through = new ArrayList<>();
    follow("many", key, List.of(), through);
    Entry row = entry("rows", key);
    return new Reply.Returned(
        looked(
            entry("a", key),
            ((Reply.Entries) scan(scan)).entries(),
            through,
            row == null ? null : select(row.value(), List.of("ip"))));
  }

  /** What a component that reads one thing of each kind answers. */
  static Bytes looked(
      @Nullable Entry entry, List<Entry> range, List<Entry> through, @Nullable Row row) {
    return Bytes.utf8(entry + " " + range + " " + through + " " + row);
  }

  final Reply through(Command.GetThrough c) {
    if (spec(c.table()).target() == null) {
      return rejected(Reason.WRONG_KIND);
    }
    if (!entries.containsKey(new Place(c.table(), c.key()))) {
      return ABSENT;
    }
    String end = c.table();
    for (String next = end; next != null; next = spec(next).target()) {
      end = next;
    }
    boolean rows = spec(end).kind() == Kind.COLUMNS;
    if (!rows && !c.columns().isEmpty()) {
      return rejected(Reason.WRONG_KIND);
    }
    List<Entry> found = new ArrayList<>();
    follow(c.table(), c.key(), c.columns(), found);
    return new Reply.Resolved(found);
  }

  private void follow(String table, Bytes key, List<String> columns, List<Entry> found) {
    Entry entry = entries.get(new Place(table, key));
    if (entry == null) {
      return;
    }
    switch (spec(table).kind()) {
      case REFERENCE -> follow(requireNonNull(spec(table).target()), entry.value(), columns, found);
      case REFERENCES -> {
        String target = requireNonNull(spec(table).target());
        References.decode(entry.value()).forEach(next -> follow(target, next, columns, found));
      }
      case VALUES -> found.add(entry);
      case COLUMNS ->
          found.add(
              new Entry(key, RowCodec.encode(select(entry.value(), columns)), entry.version()));
    }
  }

  final Reply scan(Command.Scan c) {
    List<Entry> all = sorted(c.table()).stream().filter(e -> isWithin(e.key(), c)).toList();
    int size = Math.min(all.size(), c.limit());
    return new Reply.Entries(all.subList(0, size), size < all.size());
  }

  private static boolean isWithin(Bytes key, Command.Scan c) {
    return key.compareTo(c.from()) >= 0 && (c.to() == null || key.compareTo(c.to()) < 0);
  }

  /** The entries of a table in key order. */
  final List<Entry> sorted(String table) {
    return entries.entrySet().stream()
        .filter(e -> e.getKey().table().equals(table))
        .map(Map.Entry::getValue)
        .sorted(Comparator.comparing(Entry::key))
        .toList();
  }

  static Reply rejected(Reason reason) {
    return new Reply.Rejected(reason, "");
  }

  private static Row select(Bytes row, List<String> columns) {
    Map<String, Bytes> selected = new HashMap<>(RowCodec.decode(row).columns());
    if (!columns.isEmpty()) {
      selected.keySet().retainAll(columns);
    }
    return Row.of(selected);
  }

  private TableSpec spec(String table) {
    return requireNonNull(specs.get(table));
  }
}
