package io.lockstep.core.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceResult.Invalid;
import io.lockstep.core.app.ResourceValues;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CheckedFieldsTest {
  private static final Pattern WORD = Pattern.compile("[a-z]+");
  private static final ResourceField NAME = ResourceField.text("name", WORD, "a word");
  private static final ResourceField PORT = ResourceField.whole("port", 1, 65_535, "");
  private static final ResourceField DRAINS = ResourceField.flag("drains").usual(false);
  private static final ResourceField NOTES =
      ResourceField.texts("notes", WORD, 1, 3, "one to three words").optional();

  private static ResourceDescription described(ResourceField... fields) {
    return new ResourceDescription(
        "things", "thing", "things", WORD, "a word", List.of(fields), EnumSet.allOf(Change.class));
  }

  private static CheckedFields check(Map<String, ?> given) {
    return CheckedFields.of(described(NAME, PORT, DRAINS, NOTES), given);
  }

  private static ResourceValues sound(Map<String, ?> given) {
    return ((CheckedFields.Sound) check(given)).values();
  }

  private static Invalid wrong(Map<String, ?> given) {
    return ((CheckedFields.Wrong) check(given)).problem();
  }

  @Test
  void valuesHaveTheirTypesAndWhatWasLeftOutItsUsualValue() {
    ResourceValues values = sound(Map.of("name", "web", "port", 80));
    assertThat(values.text("name")).isEqualTo("web");
    assertThat(values.whole("port")).isEqualTo(80);
    assertThat(values.flag("drains")).isFalse();
    assertThat(values.has("notes")).isFalse();
    assertThat(
            sound(Map.of("name", "a", "port", 65_535L, "drains", true, "notes", List.of("b", "c")))
                .asMap())
        .isEqualTo(
            Map.of("name", "a", "port", 65_535L, "drains", true, "notes", List.of("b", "c")));
  }

  @Test
  void theFirstWrongFieldIsNamedWithItsRemedy() {
    assertThat(wrong(Map.of("name", "web")))
        .isEqualTo(new Invalid("port", "port is missing", "give a whole number from 1 to 65535"));
    assertThat(wrong(Map.of("name", "web", "port", 65_536)).error())
        .isEqualTo("port: 65536 is not allowed");
    assertThat(wrong(Map.of("name", "WEB", "port", 1)))
        .isEqualTo(new Invalid("name", "name: 'WEB' is not allowed", "give a word"));
    assertThat(wrong(Map.of("name", "web", "port", 1, "prot\u001b", 2)))
        .isEqualTo(
            new Invalid(
                "prot?", "thing has no field 'prot?'", "its fields: name, port, drains, notes"));
  }

  @Test
  void valuesOfOtherTypesAreWrongAndShownShort() {
    assertThat(wrong(Map.of("name", "web", "port", "80")).error())
        .isEqualTo("port: '80' is not allowed");
    assertThat(wrong(Map.of("name", "web", "port", 80.5)).field()).isEqualTo("port");
    assertThat(wrong(Map.of("name", "web", "port", new BigInteger("9".repeat(30)))))
        .satisfies(one -> assertThat(one.field()).isEqualTo("port"));
    assertThat(wrong(Map.of("name", "web", "port", 1, "drains", "true")).field())
        .isEqualTo("drains");
    assertThat(wrong(Map.of("name", Map.of("a", 1), "port", 1)).error())
        .isEqualTo("name: an object is not allowed");
    assertThat(wrong(Map.of("name", "a".repeat(ResourceField.MAX_CHARS + 1), "port", 1)).error())
        .hasSizeLessThan(120);
    assertThat(sound(Map.of("name", "a".repeat(ResourceField.MAX_CHARS), "port", 1)).text("name"))
        .hasSize(ResourceField.MAX_CHARS);
  }

  @Test
  void listsAreBoundedAndHaveEachTextOnce() {
    for (List<?> notes :
        List.of(List.of(), List.of("a", "b", "c", "d"), List.of("a", "a"), List.of("a", 1))) {
      assertThat(wrong(Map.of("name", "web", "port", 1, "notes", notes)).field())
          .as("%s", notes)
          .isEqualTo("notes");
    }
    assertThat(
            wrong(Map.of("name", "web", "port", 1, "notes", Arrays.asList("a", 7, null))).error())
        .as("names the first that is wrong")
        .isEqualTo("notes: 7 is not allowed");
    assertThat(wrong(Map.of("name", "web", "port", 1, "notes", List.of("a", "a"))).error())
        .isEqualTo("notes: a list of 2 is not allowed");
    ResourceField longest =
        ResourceField.texts("all", Pattern.compile("[0-9]+"), 0, ResourceField.MAX_TEXTS, "any");
    List<String> most =
        IntStream.range(0, ResourceField.MAX_TEXTS).mapToObj(String::valueOf).toList();
    assertThat(longest.checked(most)).isEqualTo(most);
    assertThatThrownBy(
            () -> ResourceField.texts("all", WORD, 0, ResourceField.MAX_TEXTS + 1, "any"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatAnAuthorDeclaresWronglyIsRefused() {
    assertThatThrownBy(() -> PORT.usual(0L)).hasMessageContaining("port");
    assertThatThrownBy(() -> described(PORT, PORT)).hasMessageContaining("twice");
    assertThatThrownBy(() -> described(ResourceField.flag("version")))
        .hasMessageContaining("reserved");
    assertThatThrownBy(() -> ResourceField.flag("Upper")).hasMessageContaining("must match");
    assertThatThrownBy(() -> sound(Map.of("name", "a", "port", 1)).text("port"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
