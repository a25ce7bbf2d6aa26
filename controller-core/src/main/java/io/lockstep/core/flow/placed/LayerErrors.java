package io.lockstep.core.flow.placed;

import io.lockstep.placer.profile.LayerProfile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the switch answered to flow-mods that its profile says it should take, for each layer.
 * Control loop only.
 */
final class LayerErrors {
  private final List<LayerProfile> layers;
  private final long[] counts;
  private final @Nullable String[] last;
  private boolean sinceRetry;

  LayerErrors(List<LayerProfile> layers) {
    this.layers = layers;
    this.counts = new long[layers.size()];
    this.last = new String[layers.size()];
  }

  /** Records that the switch rejected a flow-mod for a layer. */
  void add(int layer, String error) {
    counts[layer]++;
    last[layer] = error;
    sinceRetry = true;
  }

  /** How many flow-mods for a layer the switch rejected. */
  long countIn(int layer) {
    return counts[layer];
  }

  /** The last error of a layer; null where the switch rejected nothing there. */
  @Nullable String last(int layer) {
    return last[layer];
  }

  /** The last error of the layer with this id; null where the switch rejected nothing there. */
  @Nullable String last(String layerId) {
    for (int layer = 0; layer < layers.size(); layer++) {
      if (layers.get(layer).id().equals(layerId)) {
        return last[layer];
      }
    }
    return null;
  }

  /** Whether the switch rejected a flow-mod since the last {@link #retried}. */
  boolean sinceRetry() {
    return sinceRetry;
  }

  /** The node retries what the switch rejected. */
  void retried() {
    sinceRetry = false;
  }
}
