package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.References;
import io.lockstep.store.codec.RowCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Commands of all kinds on few tables and keys, so that they meet. */
final class RandomCommands {
  /** Declared before the first command, in this order. */
  static final List<Command.CreateTable> DECLARED =
      List.of(
          new Command.CreateTable("a", TableSpec.values()),
          new Command.CreateTable("b", TableSpec.values()),
          new Command.CreateTable("rows", TableSpec.columns()),
          new Command.CreateTable("one", TableSpec.reference("rows")),
          new Command.CreateTable("many", TableSpec.references("one")),
          new Command.CreateTable("names", TableSpec.references("a")));

  /** Of the last two, the first may be declared on the way; the second never is. */
  private static final List<String> TABLES =
      List.of("a", "a", "b", "b", "rows", "rows", "rows", "one", "many", "names", "late", "none");

  private static final List<String> COLUMNS = List.of("ip", "port", "vlan", "\u00e4");

  private final Random random;
  private final NaiveStore model;

  /**
   * @param model tells versions that hold now and then
   */
  RandomCommands(Random random, NaiveStore model) {
    this.random = random;
    this.model = model;
  }

  Command next() {
    return switch (random.nextInt(24)) {
      case 0 ->
          new Command.CreateTable(
              random.nextInt(3) == 0 ? "a" : "late",
              random.nextInt(3) == 0 ? TableSpec.values() : TableSpec.references("rows"));
      case 1, 2 -> new Command.Call("move", key());
      case 3, 4, 5, 6, 7 -> batch();
      case 8 -> new Command.Query("look", key());
      default -> part();
    };
  }

  private Command batch() {
    List<Command.Guard> guards = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      String table = table();
      Bytes key = key();
      guards.add(new Command.Guard(table, key, version(table, key)));
    }
    List<Command> commands = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      commands.add(part());
    }
    return new Command.Batch(guards, commands);
  }

  private Command part() {
    String table = table();
    Bytes key = key();
    return switch (random.nextInt(16)) {
      case 0 -> new Command.Get(table, key);
      case 1, 2, 3 -> new Command.Put(table, key, value(table));
      case 4 -> new Command.PutIfAbsent(table, key, value(table));
      case 5 -> new Command.Replace(table, key, version(table, key), value(table));
      case 6 -> new Command.Remove(table, key);
      case 7 -> new Command.RemoveVersion(table, key, version(table, key));
      case 8 -> new Command.Increment(table, key, random.nextInt(10) - 5);
      case 9 ->
          new Command.Scan(table, key, random.nextBoolean() ? null : key(), 1 + random.nextInt(4));
      case 10, 11 -> new Command.PutColumns(rows(table), key, row());
      case 12 -> new Command.ReplaceColumns(rows(table), key, version(rows(table), key), row());
      case 13 -> new Command.GetColumns(rows(table), key, columns());
      case 14 -> new Command.RemoveColumns(rows(table), key, columns());
      default -> new Command.GetThrough(table, key, columns());
    };
  }

  private String table() {
    return TABLES.get(random.nextInt(TABLES.size()));
  }

  private String rows(String table) {
    return random.nextInt(8) == 0 ? table : "rows";
  }

  private Bytes key() {
    return random.nextInt(4) == 0
        ? Bytes.copyOf((byte) random.nextInt(256), (byte) random.nextInt(2))
        : Bytes.copyOf((byte) random.nextInt(4));
  }

  private long version(String table, Bytes key) {
    Entry entry = model.entry(table, key);
    if (random.nextInt(3) == 0) {
      return random.nextInt(50);
    }
    return entry == null ? 0 : entry.version();
  }

  /** Most often one that fits the table's kind. */
  private Bytes value(String table) {
    return switch (random.nextInt(6) == 0 ? "a" : table) {
      case "rows" -> RowCodec.encode(row());
      case "one" -> key();
      case "many", "names", "late" -> References.of(key(), key(), key());
      default ->
          random.nextBoolean()
              ? Counters.bytesOf(random.nextInt())
              : Bytes.utf8("v" + random.nextInt(100));
    };
  }

  private Row row() {
    Map<String, Bytes> columns = new HashMap<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      columns.put(COLUMNS.get(random.nextInt(COLUMNS.size())), key());
    }
    return Row.of(columns);
  }

  private List<String> columns() {
    return COLUMNS.stream().filter(column -> random.nextInt(3) == 0).toList();
  }
}
