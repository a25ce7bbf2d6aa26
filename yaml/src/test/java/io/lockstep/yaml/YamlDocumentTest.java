package io.lockstep.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a document as such. */
class YamlDocumentTest {
  private static List<String> problems(String text) {
    YamlDocument document = YamlDocument.parse(text);
    document.root();
    return document.problems().stream().map(problem -> problem.describe("f.yaml")).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "# only a remark\n", "---\n", "---\n...\n", "~"})
  void anEmptyFileHasNoKeys(String text) {
    YamlDocument document = YamlDocument.parse(text);
    assertThat(document.isReadable()).isTrue();
    assertThat(document.root().keys()).isEmpty();
    assertThat(document.isSound()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: [", "a: b: c", "\t: x", "a: 'b", "a: \u0000", "%", "a: 1\n]"})
  void whatIsNotYamlIsRefusedWithPlaceAndRemedy(String text) {
    YamlDocument document = YamlDocument.parse(text);
    assertThat(document.isReadable()).isFalse();
    assertThat(document.root().keys()).isEmpty();
    assertThat(problems(text))
        .singleElement()
        .asString()
        .matches(
            "(?s)f\\.yaml:[1-3]:[0-9]+: this is not YAML: .*\n    remedy: mind indentation .*");
  }

  @ParameterizedTest
  @CsvSource({"'- a\n- b', 1:1", "'just words', 1:1", "'\n\n  5', 3:3"})
  void aListOrAValueIsNoSetOfKeys(String text, String place) {
    assertThat(problems(text))
        .containsExactly(
            "f.yaml:"
                + place
                + ": keys are expected here\n    remedy: write it as 'key: value' lines");
  }

  @Test
  void aKeyGivenTwiceIsReportedOnceAtItsSecondPlace() {
    assertThat(problems("a: 1\nb: 2\na: 3\na: 4\n"))
        .containsExactly("f.yaml:3:1: a: given twice\n    remedy: keep one of the two");
  }

  @Test
  void aSecondDocumentIsRefused() {
    assertThat(problems("a: 1\n---\na: 2\n"))
        .containsExactly(
            "f.yaml:3:1: a second document begins here\n    remedy: keep one document in the file");
  }

  /** Nine levels of ten aliases each would be a thousand million values. */
  @Test
  @Timeout(30)
  void aliasesAreRefusedAndNeverFollowed() {
    StringBuilder text = new StringBuilder("a: &a [x]\n");
    for (char name = 'b'; name <= 'j'; name++) {
      String before = "*" + (char) (name - 1);
      text.append(name).append(": &").append(name).append(" [");
      text.append((before + ", ").repeat(9)).append(before).append("]\n");
    }
    assertThat(problems(text.toString()))
        .hasSize(90)
        .allSatisfy(problem -> assertThat(problem).contains("aliases are not read"))
        .first()
        .asString()
        .startsWith("f.yaml:2:8: ")
        .endsWith("remedy: write the value out where it is used");
    assertThat(problems("a: &a 1\nb: 2\n")).as("an anchor alone does no harm").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 999, 5_000, 100_000})
  @Timeout(60)
  void deepNestingIsRefused(int depth) {
    assertThat(problems("a: " + "[".repeat(depth) + "]".repeat(depth)))
        .isNotEmpty()
        .first()
        .asString()
        .startsWith("f.yaml:1:")
        .containsAnyOf("nested deeper than 16\n    remedy: remove levels", "this is not YAML");
  }

  @Test
  void sixteenLevelsAreRead() {
    assertThat(problems("a: " + "[".repeat(15) + "1" + "]".repeat(15))).isEmpty();
    assertThat(problems("a: " + "[".repeat(16) + "1" + "]".repeat(16))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x,", "[],", "{},", "'',"})
  @Timeout(60)
  void aDocumentOfTooManyValuesIsRefusedBeforeItTakesMemory(String item) {
    String text = "a: [" + item.repeat(YamlTree.MAX_VALUES + 1) + "]";
    assertThat(YamlDocument.parse(text).isReadable()).isFalse();
    assertThat(problems(text))
        .singleElement()
        .asString()
        .endsWith(": more than 100000 values\n    remedy: is it the right file?");
  }

  @Test
  @Timeout(60)
  void aHugeTextIsRefused() {
    assertThat(problems("a: " + "x".repeat(YamlTree.MAX_CHARACTERS - 3))).isEmpty();
    assertThat(problems("a: " + "x".repeat(YamlTree.MAX_CHARACTERS - 2)))
        .containsExactly(
            "f.yaml:1:1: more than 2097152 characters\n    remedy: is it the right file?");
  }

  @Test
  void problemsComeInTheOrderOfTheFile() {
    YamlDocument document = YamlDocument.parse("a: 1\nb: [x]\n");
    Section root = document.root();
    root.finish();
    document.complain(Place.TOP, "", "first", "none");
    document.complain(new Place(1, 40), "", "behind a", "none");
    assertThat(document.problems().stream().map(Problem::message).collect(Collectors.toList()))
        .containsExactly("unknown key", "first", "behind a", "unknown key");
  }

  @Test
  void aProblemOutsideOfFilesHasNoPlace() {
    assertThat(new Problem(Place.NOWHERE, "", "wrong", "mend it").describe("ring"))
        .isEqualTo("ring: wrong\n    remedy: mend it");
  }
}
