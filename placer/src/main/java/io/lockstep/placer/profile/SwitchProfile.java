package io.lockstep.placer.profile;

import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The profile of a model of switch, or of one switch.
 *
 * @param name for messages and configuration
 * @param openFlow the version for which it is valid, such as "1.3"
 * @param locationsVisible whether a flow-mod names the layer. If not, all layers are one table that
 *     the switch divides by itself. An entry is then in the first layer that can hold its match,
 *     since the placer never exceeds the capacity of a layer
 * @param promotes whether the switch moves rules by itself after its capacity was exceeded
 * @param maxFlowModsPerChange the most flow-mods that one change of the logical table may cost
 * @param layers in the order in which a packet passes them; the controller comes after the last one
 * @param fixed what is fixed around its only layer; null where a controller may write every table
 * @param notes further findings, for readers
 */
public record SwitchProfile(
    String name,
    String openFlow,
    boolean locationsVisible,
    boolean promotes,
    int maxFlowModsPerChange,
    List<LayerProfile> layers,
    @Nullable FixedPipeline fixed,
    List<String> notes) {
  public SwitchProfile {
    layers = List.copyOf(layers);
    notes = List.copyOf(notes);
  }

  /** A switch all of whose tables a controller may write. */
  public SwitchProfile(
      String name,
      String openFlow,
      boolean locationsVisible,
      boolean promotes,
      int maxFlowModsPerChange,
      List<LayerProfile> layers,
      List<String> notes) {
    this(name, openFlow, locationsVisible, promotes, maxFlowModsPerChange, layers, null, notes);
  }

  /** The number of the controller's layer. */
  public int controller() {
    return layers.size();
  }

  /**
   * Whether an entry would be in this layer of the switch.
   *
   * @param sets fields that the entry sets, a bit each
   */
  public boolean holds(int layer, TernaryMatch match, int sets) {
    if (!layers.get(layer).holds(match, sets)) {
      return false;
    }
    for (int before = 0; before < layer && !locationsVisible; before++) {
      if (layers.get(before).holds(match, sets)) {
        return false;
      }
    }
    return true;
  }

  /** The reason why {@link #holds} is false. */
  public String whyNot(int layer, TernaryMatch match, int sets) {
    return layers
        .get(layer)
        .whyNot(match, sets)
        .orElse("is behind a layer that can hold it, and the switch divides them by itself");
  }

  /** Whether some layer can set all these fields, a bit each, in one entry. */
  public boolean rewrites(int fields) {
    return layers.stream().anyMatch(layer -> layer.terminal() && (fields & ~layer.rewrites()) == 0);
  }

  /** The layer in which an entry read from a table of the switch is, or -1. */
  public int layerOf(int table, TernaryMatch match, int sets) {
    for (int layer = 0; layer < layers.size(); layer++) {
      if (layers.get(layer).table() == table && holds(layer, match, sets)) {
        return layer;
      }
    }
    return -1;
  }

  /** This profile with another capacity of one layer. */
  public SwitchProfile withCapacity(int layer, Capacity capacity, int reserve) {
    List<LayerProfile> changed = new ArrayList<>(layers);
    changed.set(layer, changed.get(layer).withCapacity(capacity, reserve));
    return new SwitchProfile(
        name, openFlow, locationsVisible, promotes, maxFlowModsPerChange, changed, fixed, notes);
  }
}
