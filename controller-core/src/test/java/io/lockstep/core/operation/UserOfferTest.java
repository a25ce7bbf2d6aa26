package io.lockstep.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.access.Token;
import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.mastership.PureStore;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.typed.Store;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The resource of users over the store's own state machine. */
class UserOfferTest {
  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
  private final PureStore machine = new PureStore(List.of());
  private final long session = machine.open("test");
  private final UserOffer offer =
      new UserOffer(Store.sharing(new MachineClient(), loop), () -> 77L);

  private final class MachineClient implements StoreClient {
    @Override
    public CompletableFuture<Reply> submit(Command command) {
      return CompletableFuture.completedFuture(machine.run(session, command));
    }

    @Override
    public SessionState session() {
      return new SessionState(session, Long.MAX_VALUE);
    }

    @Override
    public void onSessionChange(SessionListener listener) {}

    @Override
    public void close() {}
  }

  @AfterEach
  void stop() {
    loop.shutdownNow();
  }

  private static ResourceValues fields(String role) {
    String digest =
        HexFormat.of().formatHex(Token.generate("x", new SecureRandom()).digest().toArray());
    return ResourceValues.builder().text("role", role).text("digest", digest).build();
  }

  private ResourceResult change(ResourceChange change) {
    return ((ResourceAnswer.Changed) offer.change(change).join()).result();
  }

  private List<ResourceItem> items() {
    return ((ResourceAnswer.Items) offer.list().join()).items();
  }

  private long add(String name, String role) {
    return ((ResourceResult.Done) change(new ResourceChange.Add(name, fields(role)))).version();
  }

  @Test
  void userIsShownWithoutItsDigest() {
    long version = add("carol", "operate");
    assertThat(items()).hasSize(1);
    ResourceItem item = items().get(0);
    assertThat(item.id()).isEqualTo("carol");
    assertThat(item.version()).isEqualTo(version);
    assertThat(item.fields().asMap()).containsOnlyKeys("role").containsEntry("role", "operate");
    assertThat(item.state().asMap()).containsExactly(java.util.Map.entry("sinceMillis", 77L));
  }

  @Test
  void secondOfTheSameNameIsRefused() {
    long version = add("carol", "read");
    assertThat(change(new ResourceChange.Add("carol", fields("admin"))))
        .isEqualTo(new ResourceResult.Exists(version));
    assertThat(items().get(0).fields().text("role")).isEqualTo("read");
  }

  @Test
  void newUserNeedsAToken() {
    ResourceValues none = ResourceValues.builder().text("role", "read").build();
    assertThat(change(new ResourceChange.Add("carol", none)))
        .isInstanceOfSatisfying(
            ResourceResult.Invalid.class, wrong -> assertThat(wrong.field()).isEqualTo("digest"));
    assertThat(items()).isEmpty();
  }

  @Test
  void roleChangesUnderTheVersionThatWasRead() {
    long version = add("carol", "read");
    ResourceValues admin = ResourceValues.builder().text("role", "admin").build();
    assertThat(change(new ResourceChange.Set("carol", version - 1, admin)))
        .isEqualTo(new ResourceResult.Outdated(version));
    assertThat(change(new ResourceChange.Set("carol", version, admin)))
        .isInstanceOf(ResourceResult.Done.class);
    assertThat(items().get(0).fields().text("role")).isEqualTo("admin");
    assertThat(change(new ResourceChange.Set("dave", 1, admin)))
        .isEqualTo(new ResourceResult.Missing());
  }

  @Test
  void removedUserIsGone() {
    long version = add("carol", "read");
    assertThat(change(new ResourceChange.Remove("carol", version + 1)))
        .isEqualTo(new ResourceResult.Outdated(version));
    assertThat(change(new ResourceChange.Remove("carol", version)))
        .isInstanceOf(ResourceResult.Done.class);
    assertThat(items()).isEmpty();
    assertThat(change(new ResourceChange.Remove("carol", version)))
        .isEqualTo(new ResourceResult.Missing());
  }

  @Test
  void usersAreBounded() {
    for (int i = 0; i < UserOffer.MAX_USERS; i++) {
      add("u" + i, "read");
    }
    assertThat(change(new ResourceChange.Add("more", fields("read"))))
        .isInstanceOf(ResourceResult.Conflict.class);
    assertThat(items()).hasSize(UserOffer.MAX_USERS);
  }
}
