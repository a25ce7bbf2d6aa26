package io.lockstep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One way of reading each kind of value, and what a wrong one is called. */
class SectionTest {
  private enum Mode {
    FAST,
    HARDWARE_FIRST
  }

  private YamlDocument document = YamlDocument.parse("");

  private Section root(String text) {
    document = YamlDocument.parse(text);
    return document.root();
  }

  private List<String> problems() {
    return document.problems().stream().map(problem -> problem.describe("f")).toList();
  }

  private String onlyProblem(String text, Consumer<Section> reader) {
    reader.accept(root(text));
    assertThat(problems()).hasSize(1);
    return problems().get(0);
  }

  @Test
  void valuesAreReadAsWritten() {
    Section root =
        root(
            """
            number: 007
            millis: 250
            decimal: 1.5e3
            flag: true
            mode: hardwareFirst
            word: b
            text: 010
            list: [1, x]
            """);
    assertThat(root.number("number", 1, 0, 9, "")).isEqualTo(7);
    assertThat(root.millis("millis", 1, 0, 500)).isEqualTo(250);
    assertThat(root.decimal("decimal", 1, 0, 2000, "")).isEqualTo(1500);
    assertThat(root.flag("flag", false)).isTrue();
    assertThat(root.choice("mode", Mode.FAST, Mode.values())).isEqualTo(Mode.HARDWARE_FIRST);
    assertThat(root.choice("word", "a", List.of("a", "b"))).isEqualTo("b");
    assertThat(root.text("text", "", "[0-9]+", "none")).isEqualTo("010");
    assertThat(root.scalars("list")).extracting(YamlTree.Scalar::text).containsExactly("1", "x");
    assertThat(root.isText("word", "b")).isTrue();
    assertThat(root.isText("list", "b")).isFalse();
    root.finish();
    assertThat(problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "key:", "key: ~", "key: null"})
  void whatIsNotThereIsItsFallback(String text) {
    Section root = root(text);
    assertThat(root.has("key")).isFalse();
    assertThat(root.number("key", 5, 0, 9, "")).isEqualTo(5);
    assertThat(root.flag("key", true)).isTrue();
    assertThat(root.decimal("key", 0.5, 0, 1, "")).isEqualTo(0.5);
    assertThat(root.choice("key", Mode.FAST, Mode.values())).isEqualTo(Mode.FAST);
    assertThat(root.scalars("key")).isEmpty();
    assertThat(root.sections("key")).isEmpty();
    assertThat(root.section("key").keys()).isEmpty();
    assertThat(problems()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "10, 10 is out of bounds",
    "-1, -1 is out of bounds",
    "99999999999, 99999999999 is out of bounds",
    "123456789012345678901234567890, 123456789012345678901234567890 is out of bounds",
    "1.5, '''1.5'' is not a whole number'",
    "0x5, '''0x5'' is not a whole number'",
    "many, '''many'' is not a whole number'",
  })
  void aWrongNumberIsNamedWithItsBounds(String value, String message) {
    assertThat(
            onlyProblem(
                "a:\n  key: " + value + "\n",
                root ->
                    assertThat(root.section("a").number("key", 5, 0, 9, "packets")).isEqualTo(5)))
        .isEqualTo(
            "f:2:8: a.key: " + message + "\n    remedy: give a whole number from 0 to 9 (packets)");
  }

  @Test
  void aTimeSaysItsUnit() {
    assertThat(onlyProblem("key: soon", root -> root.millis("key", 5, 0, 9)))
        .isEqualTo(
            "f:1:6: key: 'soon' is not a whole number\n"
                + "    remedy: give a whole number from 0 to 9 (milliseconds)");
  }

  @ParameterizedTest
  @CsvSource({
    "2, 2 is out of bounds",
    "1e300, 1e300 is out of bounds",
    "NaN, '''NaN'' is not a number'",
    "Infinity, '''Infinity'' is not a number'",
    "0x1p3, '''0x1p3'' is not a number'",
    "1d, '''1d'' is not a number'",
  })
  void aWrongDecimalIsNamedWithItsBounds(String value, String message) {
    assertThat(onlyProblem("key: " + value, root -> root.decimal("key", 1, 0.001, 1, "")))
        .isEqualTo("f:1:6: key: " + message + "\n    remedy: give a number from 0.001 to 1");
  }

  @ParameterizedTest
  @CsvSource({"yes, ''", "True, 'did you mean ''true''? '", "1, ''"})
  void aFlagIsTrueOrFalse(String value, String suggestion) {
    assertThat(onlyProblem("key: " + value, root -> root.flag("key", false)))
        .isEqualTo(
            "f:1:6: key: '"
                + value
                + "' is not allowed\n    remedy: "
                + suggestion
                + "write 'true' or 'false'");
  }

  @Test
  void aWrongChoiceIsNamedWithAllChoicesAndTheNearest() {
    assertThat(onlyProblem("key: fats", root -> root.choice("key", Mode.FAST, Mode.values())))
        .isEqualTo(
            "f:1:6: key: 'fats' is not allowed\n"
                + "    remedy: did you mean 'fast'? write 'fast' or 'hardwareFirst'");
    assertThat(onlyProblem("key: q", root -> root.choice("key", "a", List.of("one", "two", "six"))))
        .endsWith("remedy: write 'one', 'two' or 'six'");
  }

  @Test
  void aMissingKeyIsNamedAtItsSectionWithWhatToGive() {
    Section a = root("\na: {b: 1}").section("a");
    assertThat(a.requiredText("key", "stand-in", ".*", "name it")).isEqualTo("stand-in");
    assertThat(a.requiredNumber("units", 3, 1, 9, "")).isEqualTo(3);
    assertThat(a.requiredChoice("mode", Mode.FAST, Mode.values())).isEqualTo(Mode.FAST);
    assertThat(problems())
        .containsExactly(
            "f:2:4: a.key: missing\n    remedy: name it",
            "f:2:4: a.units: missing\n    remedy: give a whole number from 1 to 9",
            "f:2:4: a.mode: missing\n    remedy: write 'fast' or 'hardwareFirst'");
  }

  @Test
  void aRequiredKeyThatIsThereIsReadLikeAnother() {
    Section root = root("key: k\nunits: 4\nmode: fast\n");
    assertThat(root.requiredText("key", "", ".*", "name it")).isEqualTo("k");
    assertThat(root.requiredNumber("units", 3, 1, 9, "")).isEqualTo(4);
    assertThat(root.requiredChoice("mode", Mode.HARDWARE_FIRST, Mode.values()))
        .isEqualTo(Mode.FAST);
    assertThat(problems()).isEmpty();
  }

  @Test
  void aTextThatDoesNotMatchAndOneThatItsReaderRefuses() {
    assertThat(onlyProblem("key: a b", root -> root.text("key", "", "[a-z]+", "use letters")))
        .isEqualTo("f:1:6: key: 'a b' is not allowed\n    remedy: use letters");
    assertThat(
            onlyProblem("key: x", root -> root.read("key", 1L, Long::parseLong, "give a number")))
        .isEqualTo("f:1:6: key: 'x' is not allowed\n    remedy: give a number");
  }

  @Test
  void oneKindOfValueInThePlaceOfAnother() {
    String text =
        """
        list: 1
        value: [1]
        keys: 5
        mixed: [1, [2]]
        sections: [{a: 1}, b]
        """;
    Section root = root(text);
    assertThat(root.scalars("list")).isEmpty();
    assertThat(root.number("value", 5, 0, 9, "")).isEqualTo(5);
    root.section("keys");
    assertThat(root.scalars("mixed")).hasSize(1);
    assertThat(root.sections("sections")).hasSize(2);
    assertThat(problems())
        .containsExactly(
            "f:1:7: list: a list is expected here\n    remedy: begin each item with '- '",
            "f:2:8: value: one value is expected here\n    remedy: write it as 'value: value'",
            "f:3:7: keys: keys are expected here\n    remedy: write it as 'key: value' lines",
            "f:4:12: mixed[1]: one value is expected here\n    remedy: write the list as [a, b, c]",
            "f:5:20: sections[1]: keys are expected here\n"
                + "    remedy: write it as 'key: value' lines");
  }

  @Test
  void anUnknownKeyIsAnErrorWithTheNearestKnownOneOrAll() {
    Section root = root("colour: red\nnaem: x\n");
    root.has("name");
    root.has("tables");
    root.finish();
    assertThat(problems())
        .containsExactly(
            "f:1:1: colour: unknown key\n    remedy: known keys here: name, tables",
            "f:2:1: naem: unknown key\n    remedy: did you mean 'name'?");
  }

  @Test
  void aSectionOfFreeKeysNamesThem() {
    Section root = root("b: 1\na: 2\n");
    assertThat(root.keys()).containsExactly("b", "a");
    root.finish();
    assertThat(problems()).isEmpty();
  }
}
