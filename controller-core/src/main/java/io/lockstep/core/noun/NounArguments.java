package io.lockstep.core.noun;

import io.lockstep.core.app.Noun;
import io.lockstep.core.app.NounArgument;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks the arguments of a question. Pure, but for the checks that the application brings. */
final class NounArguments {
  /** Characters of an argument at most. */
  static final int MAX_CHARS = 1_000;

  private static final int SHOWN_CHARS = 64;

  private NounArguments() {}

  /** What is wrong, with the remedy; null where all is well. */
  static NounAnswer.@Nullable Refused check(Noun noun, Map<String, String> given) {
    List<String> names = noun.arguments().stream().map(NounArgument::name).toList();
    for (String name : given.keySet()) {
      if (!names.contains(name)) {
        return wrong(
            noun.name() + " has no argument '" + shown(name) + "'",
            names.isEmpty() ? "give none" : "its arguments: " + String.join(", ", names));
      }
    }
    for (NounArgument argument : noun.arguments()) {
      String text = given.get(argument.name());
      if (text == null && argument.isRequired()) {
        return wrong(argument.name() + " is missing", "give " + argument.allowed());
      }
      if (text != null && (text.length() > MAX_CHARS || !argument.check().test(text))) {
        return wrong(
            argument.name() + ": '" + shown(text) + "' is not allowed",
            "give " + argument.allowed());
      }
    }
    return null;
  }

  static String shown(String text) {
    String begin = text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...";
    return begin.replaceAll("\\p{C}", "?");
  }

  private static NounAnswer.Refused wrong(String error, String remedy) {
    return new NounAnswer.Refused(NounAnswer.Reason.WRONG_ARGUMENTS, error, remedy);
  }
}
