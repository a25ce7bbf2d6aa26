package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.entry.RewrittenFields;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.core.southbound.TableClaims;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which profile a switch has: the configured one, else the built-in one of its manufacturer, model
 * and OpenFlow version, else what follows from what it says of its tables, else {@code ideal}.
 * Immutable but for what it has read already; thread-safe.
 */
public final class SwitchProfiles {
  /**
   * The configured profile of the switches with datapath ids from first to last, unsigned.
   *
   * @param inNodePerSecond packets a second of rules that such a switch does not have, which the
   *     node serves; 0 for none
   */
  public record Choice(long first, long last, SwitchProfile profile, int inNodePerSecond) {
    /** The same where the node serves no rule. */
    public Choice(long first, long last, SwitchProfile profile) {
      this(first, last, profile, 0);
    }

    boolean contains(long dpid) {
      return Long.compareUnsigned(first, dpid) <= 0 && Long.compareUnsigned(dpid, last) <= 0;
    }
  }

  /**
   * The profile of a switch.
   *
   * @param reason why it has this one, for people
   * @param inNodePerSecond as in {@link Choice}
   */
  public record Chosen(SwitchProfile profile, String reason, int inNodePerSecond) {
    Chosen(SwitchProfile profile, String reason) {
      this(profile, reason, 0);
    }
  }

  /** Without any configured profile. */
  public static final SwitchProfiles NONE = new SwitchProfiles(List.of());

  private static final String IDEAL = "ideal";
  private static final int EVERYTHING = 2 * HeaderField.OPAQUE.bit() - 1;

  private final List<Choice> choices;
  private final ConcurrentMap<String, SwitchProfile> builtIn = new ConcurrentHashMap<>();

  /** The first choice that contains a switch decides. */
  public SwitchProfiles(List<Choice> choices) {
    this.choices = List.copyOf(choices);
  }

  /** The profile of a switch with these features and table features. */
  public Chosen of(long dpid, SwitchFeatures features, TableClaims claims) {
    for (Choice choice : choices) {
      if (choice.contains(dpid)) {
        return new Chosen(choice.profile(), "the configuration names it", choice.inNodePerSecond());
      }
    }
    String model = recognized(features);
    String said = "'" + features.manufacturer() + "', '" + features.hardware() + "'";
    if (!model.equals(IDEAL)) {
      return new Chosen(builtIn(model), "it says that it is " + said);
    }
    ClaimedTables.Inferred inferred = ClaimedTables.of(claims, features.isOpenFlow10());
    String unknown = "no profile is known for " + said + "; ";
    return new Chosen(
        inferred.profile().orElseGet(() -> builtIn(IDEAL)), unknown + inferred.reason());
  }

  /**
   * Whether a switch can rewrite the addresses and ports of packets in its tables, as far as it and
   * its profile say.
   */
  public boolean rewrites(SwitchConnection connection) {
    TableClaims claims = connection.tableClaims();
    return claims.rewrites()
        && of(connection.dpid(), connection.features(), claims)
            .profile()
            .rewrites(RewrittenFields.OF_CONNECTIONS);
  }

  private SwitchProfile builtIn(String name) {
    return builtIn.computeIfAbsent(name, BuiltInProfiles::get);
  }

  /** The name of the built-in profile of a switch with these features. */
  static String recognized(SwitchFeatures features) {
    String maker = features.manufacturer().toLowerCase(Locale.ROOT);
    String model = features.hardware().toLowerCase(Locale.ROOT);
    if (maker.contains("broadcom") && model.contains("of-dpa")) {
      return "of-dpa";
    }
    if (!maker.matches(".*\\b(hp|hpe|hewlett|aruba|h3c)\\b.*")) {
      return IDEAL;
    }
    if (model.contains("2920") || model.contains("j9726")) {
      return "2920";
    } else if (model.contains("3500yl")) {
      return features.isOpenFlow10() ? "3500yl-1.0" : "3500yl-1.3";
    } else if (model.contains("5130") || model.contains("jg932")) {
      return "5130";
    }
    return model.contains("5700") || model.contains("jg898") ? "5700" : IDEAL;
  }

  /** Whether a switch of this profile takes every rule, in any number. */
  public static boolean takesEverything(SwitchProfile profile) {
    LayerProfile first = profile.layers().get(0);
    return profile.layers().size() == 1
        && first.table() == 0
        && !first.capacity().bounded()
        && first.allowed() == EVERYTHING
        && first.required() == 0
        && first.exactness().isEmpty()
        && first.rewrites() == HeaderField.REWRITABLE
        && profile.fixed() == null;
  }
}
