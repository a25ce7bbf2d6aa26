package io.lockstep.core.cluster;

import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import io.lockstep.store.Bytes;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.ConflictException;
import io.lockstep.store.typed.CounterTable;
import io.lockstep.store.typed.FailedException;
import io.lockstep.store.typed.OutcomeUnknownException;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.WriteOutcome;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.core.IdGenerator;
import org.onosproject.core.Version;

/**
 * onos-api's core service: numbers of applications and other ids come from the store, so they are
 * the same on all nodes and never given twice. Thread-safe.
 *
 * <p>Registering a new application and drawing a new block of ids wait for the store, up to {@link
 * #DEADLINE_MILLIS}. The answer arrives on the store client's loop, so never call them there, nor
 * on the control loop. After an unknown outcome both can be called again: a name keeps its number,
 * and a block that was drawn without an answer is never handed out.
 */
public final class StoreCoreService implements CoreService {

  /** How long a call waits for the store. */
  public static final long DEADLINE_MILLIS = 10_000;

  /** How many ids a node draws at once. */
  private static final int BLOCK = 1_000;

  private static final int MAX_TOPIC_BYTES = 256;

  private static final TableDef<String, Long> COUNTERS =
      TableDef.of(ApplicationTable.COUNTERS, Codec.utf8(), Codec.int64());

  private final Store store;
  private final CounterTable<String> counters;
  private final DeactivateHooks hooks;
  private final Version version;
  private final TableView<String, Short> applications;
  private final Map<String, IdGenerator> generators = new ConcurrentHashMap<>();

  /**
   * A service over the store; declares its table.
   *
   * @param hooks takes what applications want to run before they are deactivated
   */
  public StoreCoreService(Store store, NodeState state, String version, DeactivateHooks hooks) {
    Version parsed = Versions.parse(version);
    this.store = store;
    this.counters = store.counters(COUNTERS);
    this.hooks = hooks;
    this.version = parsed == null ? Version.version(0, 0, "0", version) : parsed;
    this.applications = state.declare(ApplicationTable.NAME, new ApplicationTable());
  }

  @Override
  public Version version() {
    return version;
  }

  @Override
  public Set<ApplicationId> getAppIds() {
    Set<ApplicationId> ids = new LinkedHashSet<>();
    applications.entries().forEach((name, id) -> ids.add(applicationId(id.value(), name)));
    return ids;
  }

  /** Null where no application has this number, as onos-api has it. */
  @Override
  @SuppressWarnings("NullAway") // onos-api answers null and says so only in its documentation.
  public ApplicationId getAppId(Short id) {
    for (ApplicationId application : getAppIds()) {
      if (application.id() == id) {
        return application;
      }
    }
    return null;
  }

  /** Null where no application has this name, as onos-api has it. */
  @Override
  @SuppressWarnings("NullAway") // As above.
  public ApplicationId getAppId(String name) {
    return known(name);
  }

  private @Nullable ApplicationId known(String name) {
    Short id = applications.known(name);
    return id == null ? null : applicationId(id, name);
  }

  /**
   * The application's id, a new one where the name is new.
   *
   * @throws IllegalStateException where the store refuses or does not answer in time
   */
  @Override
  public ApplicationId registerApplication(String name) {
    ApplicationId known = known(name);
    if (known != null) {
      return known;
    }
    short id =
        await(store.call(RegisterApplication.COMPONENT, name), "register application " + name);
    return applicationId(id, name);
  }

  /**
   * As the other, with a hook that runs on this node when it is closed in order ({@link
   * DeactivateHooks}): applications are active as long as their node.
   *
   * @throws IllegalStateException also where the node is being closed
   */
  @Override
  public ApplicationId registerApplication(String name, Runnable preDeactivate) {
    ApplicationId id = registerApplication(name);
    hooks.add(name, preDeactivate);
    return id;
  }

  @Override
  public IdGenerator getIdGenerator(String topic) {
    String key = "ids:" + topic;
    if (topic.isEmpty() || Bytes.utf8(key).length() > MAX_TOPIC_BYTES) {
      throw new IllegalArgumentException("a topic has 1 to 252 bytes");
    }
    return generators.computeIfAbsent(topic, absent -> new BlockIdGenerator(key));
  }

  private static ApplicationId applicationId(short id, String name) {
    return new DefaultApplicationId(id, name);
  }

  private static <T> T await(CompletableFuture<WriteOutcome<T>> outcome, String operation) {
    try {
      return outcome.get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS).throwWhenUnknown().orThrow();
    } catch (OutcomeUnknownException | ConflictException | FailedException e) {
      throw new IllegalStateException("cannot " + operation + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting to " + operation, e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "cannot " + operation + ": no answer in " + DEADLINE_MILLIS + " ms", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot " + operation, e);
    }
  }

  /** Hands out ids of blocks that it draws from a counter in the store. */
  private final class BlockIdGenerator implements IdGenerator {
    private final String counter;
    private long next;
    private long end;

    BlockIdGenerator(String counter) {
      this.counter = counter;
    }

    @Override
    public synchronized long getNewId() {
      if (next == end) {
        end = await(counters.add(counter, BLOCK), "draw ids").value();
        next = end - BLOCK;
      }
      return next++;
    }
  }
}
