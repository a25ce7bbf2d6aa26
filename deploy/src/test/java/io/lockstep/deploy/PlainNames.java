package io.lockstep.deploy;

import java.util.Set;
import java.util.regex.Pattern;

/** The names that no type may have: the part "Names" of ADR 0020 gives the reasons. */
public final class PlainNames {
  /** Beginnings and ends that fit every class, so they say nothing about one. */
  private static final Pattern EMPTY =
      Pattern.compile(
          "(Manager|Utils?|Helper|Impl|Default|Abstract)(?![a-z]).*"
              + "|.*(Manager|Utils?|Helper|Impl)"
              + "|I[A-Z][a-z].*");

  /** Whole names that hide a role: a reader cannot guess from them what the type does. */
  private static final Set<String> HIDING =
      Set.of(
          ("Aside Basis Beats Blocked Books Closing Consensuses Decisions Deed Differences Explaining"
                  + " Fate Filling Frames Improving Lies Logical Look Mastery Matched NamedThings"
                  + " Names Numbering Obituary Placed Restored Restoring Sealed Seen Shadows Showing"
                  + " Site Standing Standings Stations TakenBack Teller Turn Turns Upkeep Wanted"
                  + " Watchkeeper Way Wishes")
              .split(" "));

  private PlainNames() {}

  /** Whether the simple name of a type hides what the type does. */
  public static boolean isHiding(String name) {
    return EMPTY.matcher(name).matches() || HIDING.contains(name);
  }
}
