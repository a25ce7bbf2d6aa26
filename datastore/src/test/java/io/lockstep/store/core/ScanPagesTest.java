package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table is read page by page, each from right behind the last key of the one before it. */
class ScanPagesTest {
  /** In key order: also a key that begins another, bytes above 127, and the longest key. */
  private static final List<Bytes> KEYS =
      List.of(
          Bytes.utf8("a"),
          Bytes.copyOf((byte) 'a', (byte) 0),
          Bytes.utf8("ab"),
          Bytes.utf8("b"),
          longest(),
          Bytes.copyOf((byte) 0x80),
          Bytes.copyOf((byte) 0xff));

  /** The kind of table that is read. */
  enum Kind {
    VALUES,
    COLUMNS
  }

  private final Replica replica = new Replica().declare("values");
  private final long session = replica.open(600_000);

  @BeforeEach
  void fill() {
    replica.declare(session, "columns", TableSpec.columns());
    for (Bytes key : KEYS.subList(3, 7)) {
      write(key);
    }
    KEYS.subList(0, 3).forEach(this::write);
  }

  @ParameterizedTest
  @EnumSource
  void pagesGiveEveryEntryOnceInOrder(Kind kind) {
    for (int limit = 1; limit <= KEYS.size() + 1; limit++) {
      List<List<Bytes>> pages = pages(kind, Bytes.empty(), null, limit);
      assertThat(pages.stream().flatMap(List::stream).toList())
          .as("limit %d", limit)
          .containsExactlyElementsOf(KEYS);
      assertThat(pages).as("limit %d", limit).hasSize((KEYS.size() + limit - 1) / limit);
    }
  }

  @ParameterizedTest
  @EnumSource
  void endOfTheRangeIsNotInIt(Kind kind) {
    for (int limit = 1; limit <= KEYS.size(); limit++) {
      for (int to = 0; to < KEYS.size(); to++) {
        assertThat(pages(kind, KEYS.get(1), KEYS.get(to), limit).stream().flatMap(List::stream))
            .as("limit %d, to %s", limit, KEYS.get(to))
            .containsExactlyElementsOf(KEYS.subList(1, Math.max(1, to)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void pageBehindTheLastEntryIsEmpty(Kind kind) {
    Bytes last = KEYS.get(KEYS.size() - 1);
    assertThat(page(kind, behind(last), null, 1)).isEqualTo(new Reply.Entries(List.of(), false));
    assertThat(page(kind, last, last, 1)).isEqualTo(new Reply.Entries(List.of(), false));

    // There was more, until it was removed between the pages.
    assertThat(page(kind, KEYS.get(5), null, 1).more()).isTrue();
    replica.run(session, new Command.Remove(table(kind), last));
    assertThat(page(kind, behind(KEYS.get(5)), null, 1))
        .isEqualTo(new Reply.Entries(List.of(), false));
  }

  @ParameterizedTest
  @EnumSource
  void changesBehindThePageAreSeenAndThoseBeforeItAreNot(Kind kind) {
    Reply.Entries first = page(kind, Bytes.empty(), null, 3);
    assertThat(first.more()).isTrue();
    Bytes added = Bytes.utf8("aba");
    write(added);
    replica.run(session, new Command.Remove(table(kind), KEYS.get(0)));
    replica.run(session, new Command.Remove(table(kind), KEYS.get(3)));
    assertThat(page(kind, behind(KEYS.get(2)), null, 2).entries())
        .extracting(Entry::key)
        .containsExactly(added, KEYS.get(4));
  }

  private void write(Bytes key) {
    replica.run(session, new Command.Put("values", key, key));
    replica.run(session, new Command.PutColumns("columns", key, Row.of(Map.of("key", key))));
  }

  /** The keys of all pages, which end where the store says that there is no more. */
  private List<List<Bytes>> pages(Kind kind, Bytes from, @Nullable Bytes to, int limit) {
    List<List<Bytes>> pages = new ArrayList<>();
    Bytes next = from;
    boolean more = true;
    while (more) {
      Reply.Entries page = page(kind, next, to, limit);
      List<Bytes> keys = page.entries().stream().map(Entry::key).toList();
      assertThat(keys).hasSizeLessThanOrEqualTo(limit);
      pages.add(keys);
      more = page.more();
      if (more) {
        next = behind(keys.get(keys.size() - 1));
      }
    }
    return pages;
  }

  private Reply.Entries page(Kind kind, Bytes from, @Nullable Bytes to, int limit) {
    return (Reply.Entries) replica.run(session, new Command.Scan(table(kind), from, to, limit));
  }

  private static String table(Kind kind) {
    return kind == Kind.VALUES ? "values" : "columns";
  }

  /** No key lies between a key and this. */
  private static Bytes behind(Bytes key) {
    return Bytes.wrap(Arrays.copyOf(key.toArray(), key.length() + 1));
  }

  private static Bytes longest() {
    byte[] key = new byte[Limits.KEY_BYTES];
    Arrays.fill(key, (byte) 'c');
    return Bytes.wrap(key);
  }
}
