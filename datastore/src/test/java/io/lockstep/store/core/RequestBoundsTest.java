package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Row;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the store's limits admit can be sent: the largest command of each kind. */
class RequestBoundsTest {
  private static final String TABLE = "t".repeat(Limits.NAME_CHARS);
  private static final Bytes KEY = Bytes.wrap(new byte[Limits.KEY_BYTES]);
  private static final Bytes VALUE = Bytes.wrap(new byte[Limits.VALUE_BYTES]);

  static List<Command> largest() {
    return List.of(
        new Command.Put(TABLE, KEY, VALUE),
        new Command.PutIfAbsent(TABLE, KEY, VALUE),
        new Command.Replace(TABLE, KEY, Long.MAX_VALUE, VALUE),
        new Command.Call(TABLE, VALUE),
        new Command.Query(TABLE, VALUE),
        new Command.PutColumns(TABLE, KEY, row()),
        new Command.ReplaceColumns(TABLE, KEY, Long.MAX_VALUE, row()),
        new Command.Scan(TABLE, KEY, KEY, Limits.RANGE_ENTRIES),
        batch());
  }

  /** As many columns as a row may have, as long together as it may be. */
  private static Row row() {
    Map<String, Bytes> columns = new TreeMap<>();
    int each = Limits.VALUE_BYTES / Row.MAX_COLUMNS - Row.MAX_NAME_BYTES - 16;
    for (int i = 0; i < Row.MAX_COLUMNS; i++) {
      String name = String.format(Locale.ROOT, "%0" + Row.MAX_NAME_BYTES + "d", i);
      columns.put(name, Bytes.wrap(new byte[each]));
    }
    return Row.of(columns);
  }

  /** As many guards and commands as a batch may have, as long together as it may be. */
  private static Command batch() {
    List<Command.Guard> guards = new ArrayList<>();
    List<Command> commands = new ArrayList<>();
    int each = Limits.BATCH_BYTES / Limits.BATCH_COMMANDS - 64;
    for (int i = 0; i < Limits.BATCH_COMMANDS; i++) {
      guards.add(new Command.Guard("g", Bytes.utf8("k"), Long.MAX_VALUE));
      commands.add(new Command.Put("t", Bytes.utf8("k" + i), Bytes.wrap(new byte[each])));
    }
    return new Command.Batch(guards, commands);
  }

  /** As many columns as a row may have, each as short as it can be. */
  private static Command smallestColumns(boolean written) {
    Map<String, Bytes> columns = new TreeMap<>();
    for (int column = 0; column < Row.MAX_COLUMNS; column++) {
      columns.put(Integer.toString(column, 36), Bytes.empty());
    }
    return written
        ? new Command.PutColumns("t", Bytes.utf8("k"), Row.of(columns))
        : new Command.GetColumns("t", Bytes.utf8("k"), List.copyOf(columns.keySet()));
  }

  /** What a request has beside such columns is as long as they are. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void batchOfTheSmallestColumnsIsRefusedBeforeItIsTooLongForARequest(boolean written) {
    Command part = smallestColumns(written);
    int parts = 400;
    while (Limits.violation(batchOf(parts, part)) != null) {
      parts -= 8;
    }
    assertThat(parts).isGreaterThan(200);
    largestCommandFitsIntoARequest(batchOf(parts, part));
  }

  private static Command batchOf(int parts, Command part) {
    return new Command.Batch(List.of(), Collections.nCopies(parts, part));
  }

  @Test
  void requestsEndWhereTheEngineEndsThem() {
    assertThat(Request.MAX_BYTES).isEqualTo(ClientConfig.MAX_REQUEST_BYTES);
  }

  @ParameterizedTest
  @MethodSource("largest")
  void largestCommandFitsIntoARequest(Command command) {
    assertThat(Limits.violation(command)).isNull();
    Request request =
        new Request(
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            List.of(new Request.Operation(Long.MAX_VALUE, command)));
    assertThat(RequestEncoder.encode(request).length)
        .isLessThanOrEqualTo(ClientConfig.MAX_REQUEST_BYTES);
  }
}
