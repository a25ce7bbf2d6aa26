package io.lockstep.core.app;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A collection of items that operators show and change, over the admin HTTP ({@code /api/v1/NAME})
 * and the command line. What it is made of lives in the store, so any node answers the same.
 *
 * <p>All methods are pure, as the application is. The node calls them on a thread for one request,
 * beside its own work, and gives them some seconds. Where one throws or gives null, the node counts
 * a failure of the application.
 */
public interface Resource {

  /** The key of {@link NounInput#arguments} that has the id of the item that is asked for. */
  String ID = "id";

  /** Ranges that items are made from, at most. */
  int MAX_RANGES = 4;

  /** Names and fields; always the same. */
  ResourceDescription description();

  /**
   * Which ranges of the application's own tables items are made from, {@link #MAX_RANGES} at most.
   *
   * @param id of the item that is asked for; null for all
   */
  List<TableRange> reads(@Nullable String id);

  /**
   * The items.
   *
   * @param input what was read; its arguments have {@link #ID} where one item is asked for
   * @return that item only, or nothing, where one is asked for
   */
  List<ResourceItem> items(NounInput input);

  /**
   * The one operation of the store that carries a change out, or refuses it. It must decide on the
   * version that the change names within the operation, not before: {@link Command.Replace}, {@link
   * Command.PutIfAbsent}, {@link Command.RemoveVersion}, a {@link Command.Batch} with guards, or a
   * micro component of the product. It writes tables of the application only.
   *
   * @param change of a kind that {@link #description} has, checked against its fields
   * @throws IllegalArgumentException where the fields do not fit together; the operator reads the
   *     message
   */
  Command command(ResourceChange change);

  /**
   * What only the network knows and what stands in the way of a change, such as a host that has the
   * address. The view may be old, so it keeps an operator from a mistake and nothing rests on it.
   *
   * @param change as {@link #command} gets it
   * @return null where nothing does
   * @throws IllegalArgumentException as {@link #command}
   */
  default @Nullable ResourceResult objection(ResourceChange change, NetworkView network) {
    return null;
  }

  /**
   * What the reply means.
   *
   * @param reply to {@link #command}; of rejections only {@link Reply.Reason#COMPONENT_REFUSED} and
   *     {@link Reply.Reason#OUT_OF_BOUNDS}
   */
  ResourceResult result(ResourceChange change, Reply reply);
}
