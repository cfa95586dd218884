#!/bin/bash
# A run on 64 ranks through MPI: `sbatch slurm.sh`. Sent again, it goes on from its checkpoint.
# orthodict is installed where all nodes see it: npm install --global orthodict
#SBATCH --job-name=orthodict
#SBATCH --ntasks=64
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@120
#SBATCH --requeue

set -euo pipefail
DATA=${DATA:-/scratch/$USER/shards}
OUT=${OUT:-/scratch/$USER/model.npz}

# Open MPI is built with PMIx; for MPICH: srun --mpi=pmi2
exec srun --mpi=pmix orthodict learn "$DATA" --out "$OUT" --mpi --threads "$SLURM_CPUS_PER_TASK" \
  --checkpoint "${OUT%.npz}.run.npz" --resume
