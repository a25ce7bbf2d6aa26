package io.lockstep.core.resource;

import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceResult.Invalid;
import io.lockstep.core.app.ResourceValues;
import java.util.List;
import java.util.Map;

/** The fields of a change after they were checked. */
public sealed interface CheckedFields {

  /** All are as they may be; those that were left out have their usual values. */
  record Sound(ResourceValues values) implements CheckedFields {}

  /** The first that is not. */
  record Wrong(Invalid problem) implements CheckedFields {}

  /**
   * Checks what an operator wrote. Pure.
   *
   * @param given by name, as JSON has them
   */
  static CheckedFields of(ResourceDescription description, Map<String, ?> given) {
    List<String> names = description.fields().stream().map(ResourceField::name).toList();
    for (String name : given.keySet()) {
      if (!names.contains(name)) {
        return wrong(
            Shown.text(name),
            description.item() + " has no field '" + Shown.text(name) + "'",
            names.isEmpty() ? "give none" : "its fields: " + String.join(", ", names));
      }
    }
    ResourceValues.Builder values = ResourceValues.builder();
    for (ResourceField field : description.fields()) {
      Object raw = given.get(field.name());
      Object value = raw == null ? field.usualValue() : field.checked(raw);
      if (value != null) {
        values.add(field.name(), value);
      } else if (raw != null) {
        return wrong(
            field.name(),
            field.name() + ": " + shown(field, raw) + " is not allowed",
            "give " + field.allowed());
      } else if (field.isRequired()) {
        return wrong(field.name(), field.name() + " is missing", "give " + field.allowed());
      }
    }
    return new Sound(values.build());
  }

  /** What is wrong: of a list of texts the first that may not be in it. */
  private static String shown(ResourceField field, Object raw) {
    if (field.kind() == ResourceField.Kind.TEXTS && raw instanceof List<?> list) {
      for (Object each : list) {
        if (!field.allowsInList(each)) {
          return each == null ? "null" : Shown.value(each);
        }
      }
    }
    return Shown.value(raw);
  }

  private static Wrong wrong(String field, String error, String remedy) {
    return new Wrong(new Invalid(field, error, remedy));
  }
}
