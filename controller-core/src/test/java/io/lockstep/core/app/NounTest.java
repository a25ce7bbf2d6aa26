package io.lockstep.core.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NounTest {
  private static final NounArgument PORT = NounArgument.whole("port", 1, 9);
  private static final NounArgument WORD =
      NounArgument.text("word", Pattern.compile("[a-z]+"), "small letters");

  private static Noun noun(String name, String help, NounArgument... arguments) {
    return new Noun(
        name, help, List.of(arguments), given -> List.of(), input -> Rows.of("a").build());
  }

  @Test
  void aDeclarationThatIsWrongIsRefused() {
    assertThat(noun("hosts-2", "hosts", PORT, WORD.optional()).arguments()).hasSize(2);
    for (String name : List.of("", "Hosts", "2", "a/b", "a".repeat(33))) {
      assertThatThrownBy(() -> noun(name, "hosts")).hasMessageContaining("'" + name + "'");
    }
    for (String help : List.of("", " ", "a\nb", "x".repeat(201))) {
      assertThatThrownBy(() -> noun("hosts", help)).hasMessageContaining("one line");
    }
    assertThatThrownBy(() -> noun("hosts", "hosts", PORT, PORT)).hasMessageContaining("twice");
    assertThatThrownBy(() -> noun("hosts", "hosts", PORT.optional(), WORD))
        .hasMessageContaining("word is required, but stands behind one that is not");
    NounArgument[] many =
        IntStream.range(0, 17)
            .mapToObj(i -> NounArgument.whole("a" + i, 0, 1))
            .toArray(NounArgument[]::new);
    assertThatThrownBy(() -> noun("hosts", "hosts", many)).hasMessageContaining("16 arguments");
    assertThatThrownBy(() -> NounArgument.whole("a b", 0, 1)).hasMessageContaining("'a b'");
  }

  @Test
  void argumentsCheckWholeTexts() {
    assertThat(List.of("1", "9", "09")).allMatch(PORT.check());
    assertThat(List.of("0", "10", "", "1 ", "x", "99999999999")).noneMatch(PORT.check());
    assertThat(NounArgument.whole("delta", -2, 2).check().test("-2")).isTrue();
    assertThat(WORD.check().test("abc")).isTrue();
    assertThat(WORD.check().test("abc1")).isFalse();
    assertThat(PORT.allowed()).isEqualTo("a whole number from 1 to 9");
    assertThat(PORT.isRequired()).isTrue();
    assertThat(PORT.optional().isRequired()).isFalse();
  }

  @Test
  void aTableIsShownEntryByEntry() {
    Noun noun =
        Noun.ofTable(
            "tries",
            "tries",
            "apps.x",
            List.of("host", "tries"),
            entry -> List.of(entry.key().toUtf8(), entry.value().toUtf8()));
    List<TableRange> ranges = noun.reads().apply(Map.of());
    assertThat(ranges).containsExactly(new TableRange("apps.x", Bytes.empty(), null));
    TableSnapshot read =
        new TableSnapshot(
            ranges.get(0), List.of(new Entry(Bytes.utf8("h"), Bytes.utf8("3"), 1)), true);
    Rows rows =
        noun.answer()
            .apply(
                new NounInput(
                    Map.of(),
                    ApplicationConfiguration.usual(List.of()),
                    NetworkPicture.UNKNOWN,
                    List.of(read),
                    0));
    assertThat(rows.columns()).containsExactly("host", "tries");
    assertThat(rows.rows()).containsExactly(List.of("h", "3"));
    assertThatThrownBy(() -> Noun.ofTable("x", "x", "apps.x", List.of("A"), entry -> List.of()))
        .hasMessageContaining("'A'");
  }

  @Test
  void aPrefixEndsBeforeTheFirstKeyThatDoesNotHaveIt() {
    assertThat(TableRange.prefix("t", Bytes.copyOf((byte) 1, (byte) 2)).to())
        .isEqualTo(Bytes.copyOf((byte) 1, (byte) 3));
    assertThat(TableRange.prefix("t", Bytes.copyOf((byte) 1, (byte) 0xff, (byte) 0xff)).to())
        .isEqualTo(Bytes.copyOf((byte) 2));
    assertThat(TableRange.prefix("t", Bytes.copyOf((byte) 0xff)).to()).isNull();
    assertThat(TableRange.prefix("t", Bytes.empty())).isEqualTo(TableRange.all("t"));
  }
}
