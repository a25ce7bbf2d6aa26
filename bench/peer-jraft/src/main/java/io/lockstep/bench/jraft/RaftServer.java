package io.lockstep.bench.jraft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.RaftGroupService;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.option.ReadOnlyOption;
import io.lockstep.bench.compare.Cluster;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One Raft node. Its log is RocksDB, the store's own: durable means that it syncs each batch of
 * entries before they count (its {@code sync}), in memory that it does not, and that its directory
 * is a file system in memory where the machine has one. Reads are by read index with a round of the
 * quorum (ReadOnlySafe). No snapshot is taken during a run.
 */
final class RaftServer implements AutoCloseable {
  private static final String GROUP = "compare";

  /** Writes that are proposed together, at most; the store's own default is 32. */
  private static final int APPLY_BATCH = 256;

  private final RaftGroupService group;
  private final EventLoopGroup loops;

  private RaftServer(RaftGroupService group, EventLoopGroup loops) {
    this.group = group;
    this.loops = loops;
  }

  static RaftServer start(Cluster cluster, int id) throws IOException, InterruptedException {
    Path directory = cluster.directory(id);
    Files.createDirectories(directory);
    Machine machine = new Machine();
    NodeOptions options = options(cluster, directory);
    options.setFsm(machine);
    RaftGroupService group = new RaftGroupService(GROUP, peer(cluster, id), options);
    Node node = group.start();
    if (node == null) {
      throw new IllegalStateException("the Raft node did not start in " + directory);
    }
    Requests requests = new Requests(node, machine);
    group.getRpcServer().registerProcessor(new BoltProcessor(requests));
    EventLoopGroup loops = new NioEventLoopGroup(1);
    new ServerBootstrap()
        .group(loops)
        .channel(NioServerSocketChannel.class)
        .childHandler(FrameFormat.with(() -> new RequestHandler(requests)))
        .bind(Cluster.HOST, cluster.port(id, FrameFormat.PORT))
        .sync();
    return new RaftServer(group, loops);
  }

  private static NodeOptions options(Cluster cluster, Path directory) {
    RaftOptions raft = new RaftOptions();
    raft.setSync(cluster.durable());
    raft.setApplyBatch(APPLY_BATCH);
    raft.setReadOnlyOptions(ReadOnlyOption.ReadOnlySafe);
    NodeOptions options = new NodeOptions();
    options.setRaftOptions(raft);
    options.setLogUri(directory.resolve("log").toString());
    options.setRaftMetaUri(directory.resolve("meta").toString());
    options.setDisableCli(true);
    Configuration members = new Configuration();
    for (int id = 0; id < Cluster.SERVERS; id++) {
      members.addPeer(peer(cluster, id));
    }
    options.setInitialConf(members);
    return options;
  }

  private static PeerId peer(Cluster cluster, int id) {
    return new PeerId(Cluster.HOST, cluster.port(id, 0));
  }

  @Override
  public void close() throws InterruptedException {
    loops.shutdownGracefully().await();
    group.shutdown();
    group.join();
  }
}
