package io.lockstep.deploy.admin;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/** What a change expects of the item that it changes (RFC 9110 section 13.1). Pure. */
sealed interface Precondition {
  /** A strong entity tag with a version. */
  Pattern TAG = Pattern.compile("\"([0-9]{1,18})\"");

  /** {@code If-Match} with one version. */
  record Version(long version) implements Precondition {}

  /** {@code If-None-Match: *}: there is no such item. */
  record None() implements Precondition {}

  /** The request says nothing, or only that the item exists. */
  record Missing() implements Precondition {}

  /** It cannot be read. */
  record Malformed(String error, String remedy) implements Precondition {}

  /** The precondition of a request. */
  static Precondition of(HttpFields headers) {
    List<String> matches = headers.getValuesList(HttpHeader.IF_MATCH);
    List<String> noneMatches = headers.getValuesList(HttpHeader.IF_NONE_MATCH);
    if (!matches.isEmpty() && !noneMatches.isEmpty()) {
      return new Malformed("If-Match and If-None-Match exclude each other", "send one of the two");
    }
    if (!noneMatches.isEmpty()) {
      return noneMatches.equals(List.of("*"))
          ? new None()
          : new Malformed("If-None-Match has a version", "send If-None-Match: * to make an item");
    }
    // "*" only says that there is one, not which one the operator has seen.
    if (matches.isEmpty() || matches.equals(List.of("*"))) {
      return new Missing();
    }
    Matcher tag = TAG.matcher(matches.get(0).strip());
    return matches.size() == 1 && tag.matches()
        ? new Version(Long.parseLong(tag.group(1)))
        : new Malformed(
            "If-Match is no ETag of an item", "send the one ETag that was read, with its quotes");
  }
}
