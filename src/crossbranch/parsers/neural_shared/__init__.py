"""What all kinds of parsers with a neural network share.

settings        the settings of networks, tasks and training
checks          what is checked before training and parsing
engine          the stored network, for the core
torch_engine    the network with torch
parser          NeuralParser: files, devices, tasks, distributions
distributions   numbers of other programs as additional input
inputs          what the network reads in training: words, vectors, a pretrained encoder
tasks           what is learned besides trees, one label for each token; and when
losses          the loss of tasks; metrics
devices         the device for training
weights         weights between torch and files
learner         NeuralLearner: training, with torch
"""
