package io.lockstep.core.access;

import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * The users as this node's view of the store shows them. It follows the store within milliseconds.
 * While this node does not reach the store, a user that was removed meanwhile still passes here,
 * and can change nothing, since changes need the store. Thread-safe.
 */
public final class Users {
  private final TableView<String, User> view;

  /** Declares the table. */
  public Users(NodeState state) {
    view = state.declare(UserTable.NAME, new UserTable());
  }

  /** The user who has this token; empty where no user has it. */
  public Optional<User> holderOf(Token token) {
    User user = view.known(token.user());
    byte[] kept = user == null ? new byte[Token.DIGEST_BYTES] : user.digest().toArray();
    // Takes the same time for each wrong secret, and for a name that no user has.
    boolean isTheirs = MessageDigest.isEqual(kept, token.digest().toArray());
    return isTheirs ? Optional.ofNullable(user) : Optional.empty();
  }
}
